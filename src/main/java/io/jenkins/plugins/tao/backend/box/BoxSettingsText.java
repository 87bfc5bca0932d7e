package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.box.options.BoxOptions;
import io.jenkins.plugins.tao.backend.box.options.BoxRules.ContainerRuntime;
import io.jenkins.plugins.tao.backend.box.options.BoxRules.Detach;
import io.jenkins.plugins.tao.backend.box.options.BoxSettings;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.remote.shell.GpuShell;
import java.time.Duration;
import java.util.Locale;

/** What the wrapper is told of one job, as assignments of shell. Pure. */
final class BoxSettingsText {
    /** Steps of 0.05 s that the wrapper waits for its controller: half a minute. */
    static final int GATE_STEPS = 600;

    private static final int PAUSE_SECONDS = 2;

    private BoxSettingsText() {}

    static String render(BoxPlace place, JobSpec spec, JobKey key, String results) {
        BoxOptions options = BoxFiles.options(spec);
        BoxSettings settings = place.settings();
        Detach detach = options.detach().or(settings.rules()::detach).orElse(Detach.SETSID);
        ContainerRuntime tool = settings.rules().runtime().orElse(ContainerRuntime.DOCKER);
        String scratch = settings.places()
                .scratchDirectory()
                .map(path -> path + "/" + key)
                .orElse("");
        StringBuilder text = new StringBuilder();
        line(text, "key", key.value());
        line(text, "base", place.base());
        line(text, "results", results);
        line(text, "work", results);
        if (options.preparation().code().isPresent() || spec.code().isPresent()) {
            text.append("read -r tao_work <\"$tao_job/work\"\n");
        }
        line(text, "grace", seconds(options.grace()));
        line(text, "wall", seconds(spec.resources().wallTime().orElse(Duration.ZERO)));
        line(text, "wanted", String.valueOf(BoxFiles.gpus(spec)));
        line(text, "most", String.valueOf(settings.rules().maxJobs().orElse(0)));
        line(text, "onreboot", options.onReboot().name().toLowerCase(Locale.ROOT));
        line(text, "tool", spec.image().isPresent() ? tool.program() : "");
        line(
                text,
                "image",
                spec.image().map(image -> BoxContainer.address(tool, image)).orElse(""));
        line(text, "detach", detach.name().toLowerCase(Locale.ROOT));
        line(text, "verify", options.gpuCheck() ? "1" : "");
        line(text, "scratch", scratch);
        line(text, "clean_up", options.preparation().cleanScratch() ? "1" : "");
        line(text, "credentials", settings.places().credentialFile().orElse(""));
        line(text, "hook", settings.network().proxyHook().orElse(""));
        line(text, "still", seconds(settings.network().stall()));
        pauses(text);
        return text.append("tao_name=$tao_key\ntao_n=${tao_attempt##*-}\n")
                .append("[ \"$tao_n\" = 1 ] || tao_name=$tao_key.$tao_n\n")
                .toString();
    }

    private static void pauses(StringBuilder text) {
        line(text, "gate", String.valueOf(GATE_STEPS));
        line(text, "pause", String.valueOf(PAUSE_SECONDS));
        line(text, "sample", String.valueOf(GpuShell.PAUSE_SECONDS));
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append("tao_")
                .append(name)
                .append('=')
                .append(value.isEmpty() ? "" : quote(value))
                .append('\n');
    }

    private static String seconds(Duration time) {
        return String.valueOf(time.toSeconds());
    }
}
