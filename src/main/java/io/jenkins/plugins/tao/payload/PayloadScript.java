package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.remote.shell.GpuShell;
import io.jenkins.plugins.tao.spec.FilledJob;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The text of a {@link Payload}: its values as shell variables, then the frame that is the same for all. Pure. */
final class PayloadScript {
    /** Linux takes no single argument of more: {@code MAX_ARG_STRLEN}, 32 pages. */
    private static final int MAX_BYTES = 131_071;

    private static final int STATUS_SECONDS = 5;

    /** A shared filesystem may take some seconds until one node sees what another wrote. */
    private static final int BEAT_SECONDS = 10;

    private static final int SILENCE_SECONDS = 60;
    private static final int STATUS_BITE = 1 << 18;
    private static final String FRAME = OwnFile.text(PayloadScript.class, "payload.sh");
    private static final String RUNNER = Stream.of(
                    "s3.py",
                    "roles.py",
                    "inputs.py",
                    "code.py",
                    "models.py",
                    "ngc.py",
                    "results.py",
                    "resume.py",
                    "main.py")
            .map(name -> OwnFile.text(PayloadScript.class, name))
            .collect(Collectors.joining());

    private PayloadScript() {}

    static String render(Payload payload, Transfers transfers) throws Rejected {
        String results = payload.ownResults();
        FilledJob job = payload.filled(transfers.addresses()::rewrite);
        StringBuilder text = new StringBuilder("#!/bin/sh\n");
        payload.env().forEach((name, value) -> text.append("export ").append(assign(name, value)));
        text.append(assign("tao_key", payload.key().value()))
                .append(assign("tao_results", results))
                .append(assign("tao_config", payload.config()))
                .append(assign(
                        "tao_nodes", Integer.toString(payload.spec().resources().nodes())))
                .append(assign("tao_members", payload.hasMembers() ? "1" : ""))
                .append(assign("tao_kept", payload.keepsResults() ? "1" : ""))
                .append(assign("tao_named", payload.ownsResults() ? "" : "1"))
                .append(assign("tao_beat", Integer.toString(BEAT_SECONDS)))
                .append(assign("tao_silence", Integer.toString(SILENCE_SECONDS)))
                .append(assign("tao_needed", String.join("\n", transfers.needed())))
                .append(assign("tao_downloads", transfers.downloadPlan(payload)))
                .append(assign("tao_uploads", transfers.uploadPlan(payload)))
                .append(assign("tao_resume", ResumePlan.of(payload)))
                .append(assign("tao_code", payload.codePlan()))
                .append(assign(
                        "tao_code_id",
                        payload.spec().code().map(Object::toString).orElse("")))
                .append(assign(
                        "tao_runner", transfers.any() || payload.spec().code().isPresent() ? runner() : ""))
                .append(assign("tao_interval", Integer.toString(STATUS_SECONDS)))
                .append(assign("tao_bite", Integer.toString(STATUS_BITE)))
                .append(assign("tao_gpu_program", watchesGpus(payload) ? GpuShell.program() : ""))
                .append(assign("tao_gpu_pause", Integer.toString(GpuShell.PAUSE_SECONDS)))
                .append(assign("tao_prologue", payload.prologue()))
                .append(assign("tao_spec", job.specText()))
                .append(assign("tao_command", job.command()))
                .append(FRAME);
        return checked(text.toString(), payload);
    }

    /** A job that says nothing of GPUs may have some. */
    private static boolean watchesGpus(Payload payload) {
        return payload.spec().resources().gpusPerNode().orElse(1) > 0;
    }

    /** What moves files, in Python; without a single quote, so that the shell's text of it can be read. */
    static String runner() {
        return RUNNER;
    }

    private static String assign(String name, String value) {
        return name + "=" + quote(value) + "\n";
    }

    private static String checked(String text, Payload payload) throws Rejected {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new Rejected(
                    "Job '" + payload.key() + "' has " + bytes + " bytes of command, spec and variables; a container"
                            + " takes " + MAX_BYTES + ".",
                    "Bring a long spec as an input, and put a long command into a script that the image or an input"
                            + " brings.");
        }
        return text;
    }
}
