package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.mockwebserver.http.MockResponse;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import org.junit.jupiter.api.Test;

/** Jobs whose pods Volcano starts together. */
class KubernetesVolcanoTest extends ClusterTest {
    private void served() {
        answer(
                "/apis/scheduling.volcano.sh/v1beta1",
                "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":\"scheduling.volcano.sh/v1beta1\","
                        + "\"resources\":[{\"name\":\"podgroups\",\"namespaced\":true,\"kind\":\"PodGroup\",\"verbs\":[\"list\"]}]}");
    }

    private void podGroups(String phase) {
        String held = "{\"type\":\"Unschedulable\",\"status\":\"True\",\"lastTransitionTime\":\"2026-11-21T17:00:00Z\","
                + "\"reason\":\"NotEnoughResources\",\"message\":\"1/1 tasks in gang unschedulable\"}";
        served();
        answer(
                "/namespaces/tao-jobs/podgroups",
                "{\"kind\":\"PodGroupList\",\"apiVersion\":\"scheduling.volcano.sh/v1beta1\",\"metadata\":{},\"items\":"
                        + "[{\"kind\":\"PodGroup\",\"apiVersion\":\"scheduling.volcano.sh/v1beta1\",\"metadata\":{\"name\":"
                        + "\"tao-grouped\",\"namespace\":\"tao-jobs\"},\"spec\":{\"queue\":\"research\"},\"status\":{\"phase\":\""
                        + phase + "\",\"conditions\":[" + held + "]}}]}");
    }

    private void answer(String end, String json) {
        cluster.server()
                .fault(
                        request -> request.getMethod().equals("GET")
                                && request.getPath().replaceAll("\\?.*", "").endsWith(end),
                        new MockResponse()
                                .setResponseCode(200)
                                .setHeader("Content-Type", "application/json")
                                .setBody(json),
                        false);
    }

    /** More GPUs than a node has, so that the pod waits. */
    private JobHandle waiting(String key, String scheduler) throws Exception {
        JobSpec.Builder spec = Sample.job("true").resources(Sample.resources(1, 9));
        if (!scheduler.isEmpty()) {
            served();
            spec.options(Records.of(KubernetesOptions.class, "scheduler", scheduler));
        }
        JobHandle job = submit(spec.build(), key);
        await().until(() -> look(job).nativeState().equals("Unschedulable"));
        cluster.freeze();
        cluster.server().requests();
        return job;
    }

    @Test
    void whyVolcanoHoldsAJobBackIsAskedWithTheSameLook() throws Exception {
        JobHandle job = waiting("grouped", "volcano");

        podGroups("Pending");
        assertThat(look(job).reason().orElseThrow())
                .startsWith("Volcano's queue 'research' does not admit it yet: NotEnoughResources: 1/1 tasks")
                .contains("; ");
        cluster.server().deny("list scheduling.volcano.sh/podgroups");
        served();
        JobStatus refused = look(job);
        assertThat(refused.reason().orElseThrow()).doesNotContain("Volcano");
        assertThat(refused.notices()).singleElement().asString().contains("may not list podgroups");
    }

    @Test
    void aJobOfTheClustersOwnSchedulerAsksVolcanoNothing() throws Exception {
        JobHandle job = waiting("plain", "");

        look(job);

        assertThat(cluster.server().requests()).noneMatch(request -> request.contains("volcano"));
    }
}
