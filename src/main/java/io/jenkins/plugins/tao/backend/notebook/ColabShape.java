package io.jenkins.plugins.tao.backend.notebook;

import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.job.JobSpec;
import java.util.ArrayList;
import java.util.List;

/** What a notebook on Colab can do with a job. Pure. */
final class ColabShape {
    private ColabShape() {}

    static List<Check> checks(JobSpec spec) {
        List<Check> checks = new ArrayList<>();
        spec.image()
                .ifPresent(image -> checks.add(Check.failed(
                        "image",
                        "The image " + image + " cannot run on Colab, which has its own image.",
                        "Leave image out and let the command install what it needs.")));
        if (spec.resources().nodes() > 1) {
            checks.add(Check.failed(
                    "machine", "A notebook has one machine.", "Ask for one node, or use a target with a cluster."));
        }
        spec.resultsDirectory()
                .ifPresent(path -> checks.add(Check.failed(
                        "results",
                        "The results directory " + path
                                + " would not outlive the session: only the mounted drive does.",
                        "Leave it out: results are kept in the folder of Drive that the option drive names.")));
        if (!spec.inputs().isEmpty() || !spec.outputs().isEmpty()) {
            checks.add(Check.failed(
                    "inputs",
                    "A notebook on Colab brings no inputs and takes no outputs away.",
                    "Leave both out: let the command fetch its data, or read it from the drive below"
                            + " /content/drive/MyDrive."));
        }
        LiteralSecret.in(spec)
                .ifPresent(place -> checks.add(Check.failed(
                        "secrets",
                        "There is something like a secret in " + place + " of the job.",
                        "Name it under secrets: the notebook reads Colab's own Secrets by name.")));
        return checks;
    }
}
