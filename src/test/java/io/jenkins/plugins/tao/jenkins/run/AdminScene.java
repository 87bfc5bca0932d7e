package io.jenkins.plugins.tao.jenkins.run;

import hudson.XmlFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.io.File;
import java.util.stream.Stream;

/** Jobs as administrators find them: one without a build, one that a build waits for. */
public final class AdminScene {
    /** The extensions that watch and cancel, and {@code more}. */
    public Object[] extensions(Object... more) {
        return Stream.concat(Stream.of(new LiveBuilds(), new OpenBuilds(), new CancelRequests()), Stream.of(more))
                .toArray();
    }

    /** Lets the build of a job have been deleted. */
    public void lost(JobHandle job) {
        LastBuilds.get().keep(job.key(), job.target(), "deleted#7");
    }

    /** Lets a build wait for a job. */
    public JobWatch watch(FakeBuild build, JobHandle job, ArtifactPlan archive) {
        return WatchRun.start(
                new BuildScope(build, build.listener()), new WatchTerms(archive, WatchPlan.defaults(), false), job);
    }

    /** Does what Jenkins does when the targets have been saved. */
    void saved(RemovedTargets listener) {
        listener.onChange(TaoGlobalConfiguration.get(), new XmlFile(new File("tao.xml")));
    }
}
