package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.box.options.BoxOptions;
import io.jenkins.plugins.tao.backend.box.options.BoxRules.ContainerRuntime;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.remote.shell.RendezvousShell;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How an image is run: a function of shell that the wrapper calls with its GPUs chosen. Values of variables never stand
 * on the command line, secrets never reach the engine, and the container stays after its end, with its exit code. Pure.
 *
 * @see <a href="https://docs.docker.com/reference/cli/docker/container/run/">docker run</a>, read for 28.0
 * @see <a href="https://docs.podman.io/en/v4.6.1/markdown/podman-run.1.html">podman run --userns</a>, read for 4.6
 * @see <a href="https://apptainer.org/docs/user/1.3/gpu.html">apptainer exec --nv</a>, read for 1.3
 */
public final class BoxContainer {
    private BoxContainer() {}

    public static Map<String, String> files(BoxPlace place, JobSpec spec, JobKey key, List<String> names) {
        ContainerRuntime tool = place.settings().rules().runtime().orElse(ContainerRuntime.DOCKER);
        String body =
                tool == ContainerRuntime.APPTAINER ? apptainer(place, spec) : docker(tool, place, spec, key, names);
        String forget = spec.secrets().isEmpty()
                ? ":"
                : "unset " + String.join(" ", spec.secrets().keySet());
        return Map.of(
                "container.sh",
                "tao_container_run() {\n" + body + "}\ntao_container_forget() { " + forget + "; }\n",
                "inside",
                OwnFile.text(BoxContainer.class, "inside.sh"));
    }

    private static String docker(ContainerRuntime tool, BoxPlace place, JobSpec spec, JobKey key, List<String> names) {
        BoxOptions options = BoxFiles.options(spec);
        List<String> words = new ArrayList<>();
        words.add("env -u TAO_RUN setsid " + tool.program()
                + " run -d --name \"$tao_name\" --cidfile \"$tao_attempt/cid\"" + " --label "
                + quote("tao-job=" + key));
        if (BoxFiles.gpus(spec) > 0) {
            words.add(
                    tool == ContainerRuntime.PODMAN
                            ? "$(echo \"$tao_ids\" | tr , '\\n' | sed 's|^|--device=nvidia.com/gpu=|')"
                            : "--gpus \"\\\"device=$tao_ids\\\"\"");
        }
        words.add(options.shmSize().map(size -> "--shm-size=" + size).orElse("--ipc=host"));
        words.add("$tao_limits --user \"$tao_ids_inside\"");
        if (tool == ContainerRuntime.PODMAN) {
            // else that uid is a subordinate one within, which may not write what is mounted; root has no need of it
            words.add("$([ \"$(id -u)\" = 0 ] || echo --userns=keep-id)");
        }
        mounts(place, spec).forEach(mount -> words.add("-v " + mount));
        words.add("-w \"$tao_work\"");
        variables(spec, names, words);
        options.containerArgs().forEach(word -> words.add(quote(word)));
        words.add("\"$tao_image\" " + call(options, 1));
        return "  " + String.join(" ", words) + "\n";
    }

    /**
     * By name from the wrapper, but for HOME: the runtime itself looks for its logins and its containers there. A secret is
     * none of them: the engine would keep it with the container. It goes through a pipe to the first process within.
     */
    private static void variables(JobSpec spec, List<String> names, List<String> words) {
        Set<String> variables = new LinkedHashSet<>(names);
        variables.addAll(RendezvousShell.NAMES);
        Set<String> secrets = spec.secrets().keySet();
        words.add("-e \"HOME=$tao_home_inside\"");
        List.of("USER", "LOGNAME").forEach(name -> {
            if (!variables.contains(name) && !secrets.contains(name)) {
                words.add("-e \"" + name + "=$(id -un)\"");
            }
        });
        if (BoxFiles.gpus(spec) == 0) {
            // where NVIDIA's runtime is the default one, an image would get all of them
            variables.remove("NVIDIA_VISIBLE_DEVICES");
            words.add("-e NVIDIA_VISIBLE_DEVICES=void");
        }
        variables.stream()
                .filter(name -> !name.equals("HOME") && !secrets.contains(name))
                .forEach(name -> words.add("-e " + name));
    }

    private static String apptainer(BoxPlace place, JobSpec spec) {
        List<String> words = new ArrayList<>(List.of("apptainer exec --pwd \"$tao_work\""));
        if (BoxFiles.gpus(spec) > 0) {
            words.add("--nv");
        }
        mounts(place, spec).forEach(mount -> words.add("--bind " + mount));
        words.add("\"$tao_image\" " + call(BoxFiles.options(spec), 0));
        return "  " + String.join(" ", words) + "\n";
    }

    /** How {@code tool} calls an image: Apptainer takes files and addresses. */
    public static String address(ContainerRuntime tool, String image) {
        boolean plain = !image.startsWith("/") && !image.contains("://");
        return tool == ContainerRuntime.APPTAINER && plain ? "docker://" + image : image;
    }

    /** @param relay 1 where the first process within is the only one that a stop of the container reaches */
    private static String call(BoxOptions options, int relay) {
        return "bash \"$tao_job/inside\" \"$tao_attempt\" " + relay + (options.gpuCheck() ? " \"$tao_wanted\"" : " 0")
                + " \"$tao_check\" \"$tao_job/command\"";
    }

    /** Everything under the path it has on the box, so that a command means the same within. */
    private static List<String> mounts(BoxPlace place, JobSpec spec) {
        Set<String> mounts = new LinkedHashSet<>();
        mounts.add("\"$tao_job:$tao_job\"");
        mounts.add("\"$tao_results:$tao_results\"");
        if (!spec.spec().isEmpty()) {
            mounts.add(quote(place.base() + "/specs:" + place.base() + "/specs"));
        }
        if (place.settings().places().dataDirectory().isPresent()
                || !BoxFiles.options(spec).preparation().downloads().isEmpty()) {
            mounts.add(quote(place.data() + ":" + place.data()));
        }
        if (BoxFiles.options(spec).preparation().code().isPresent()) {
            mounts.add("\"$tao_work:$tao_work\"");
        }
        spec.code().ifPresent(id -> mounts.add("\"$tao_work:$tao_work:ro\""));
        place.settings().places().scratchDirectory().ifPresent(path -> mounts.add("\"$tao_scratch:$tao_scratch\""));
        place.settings().places().hfHome().ifPresent(path -> mounts.add(quote(path + ":" + path)));
        place.settings().rules().containerMounts().forEach(mount -> mounts.add(quote(twice(mount))));
        return List.copyOf(mounts);
    }

    private static String twice(String mount) {
        return mount.indexOf(':') < 0 ? mount + ":" + mount : mount;
    }
}
