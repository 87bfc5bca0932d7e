package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesText;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Objects as clusters show them. */
public final class Captured {
    public static final Instant NOON = Instant.parse("2026-11-21T17:30:00Z");

    private static final Path RESOURCES = Path.of("src/test/resources/io/jenkins/plugins/tao/backend/kubernetes");

    private Captured() {}

    /** One Job with its pods and events, seen half an hour after it was made. */
    public static JobView view(String name) {
        return view(name, NOON);
    }

    public static JobView view(String name, Instant now) {
        List<HasMetadata> items = items(name);
        Job job = of(items, Job.class).get(0);
        List<PodView> pods = of(items, Pod.class).stream().map(PodView::new).toList();
        return new JobView(job, pods, of(items, Event.class), Optional.of(now));
    }

    /** All objects of a file. */
    public static List<HasMetadata> items(String name) {
        return KubernetesText.FORM
                .unmarshal(reply(name + ".json"), KubernetesList.class)
                .getItems();
    }

    private static <T> List<T> of(List<HasMetadata> items, Class<T> kind) {
        return items.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static String reply(String name) {
        try {
            String text = Files.readString(RESOURCES.resolve(name));
            assertThat(text).startsWith("# ");
            return text.substring(text.indexOf('\n') + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
