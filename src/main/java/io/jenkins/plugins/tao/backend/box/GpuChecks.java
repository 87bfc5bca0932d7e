package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.box.options.BoxOptions;
import io.jenkins.plugins.tao.backend.box.options.BoxOptions.WhenBusy;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.util.List;

/** What a look at the GPUs, their driver and Python means for one job. Pure. */
record GpuChecks(JobSpec spec, BoxOptions options, String answer) {
    void addTo(List<Check> checks) {
        List<String> python = words("python");
        if (spec.image().isEmpty()) {
            checks.add(Check.passed(
                    "python", python.isEmpty() ? "none; plain commands need none" : String.join(", ", python)));
        }
        int wanted = BoxFiles.gpus(spec);
        if (wanted == 0) {
            return;
        }
        List<String> free = words("free");
        List<String> busy = words("busy");
        int found = free.size() + busy.size();
        if (wanted > found) {
            checks.add(Check.failed(
                    "GPUs",
                    asked(wanted) + ", and nvidia-smi lists " + found + ".",
                    "Ask for fewer, fix the driver, or use a target with GPUs."));
            return;
        }
        words("driver").stream().findFirst().ifPresent(driver -> checks.add(Check.passed("driver", driver)));
        if (answer.contains("torch False\n") && options.gpuCheck()) {
            checks.add(Check.failed(
                    "framework",
                    "torch.cuda.is_available() is False with the Python found here: the framework cannot use a GPU.",
                    "Install a torch built for this driver, or switch the look off with gpuCheck: false."));
        }
        holders(wanted, free, busy, checks);
    }

    private static String asked(int wanted) {
        return "The job asks for " + Sentences.count(wanted, "GPU");
    }

    private void holders(int wanted, List<String> free, List<String> busy, List<Check> checks) {
        String held = busy.isEmpty() ? "" : "; GPU " + String.join("; GPU ", busy);
        if (wanted <= free.size()) {
            checks.add(Check.passed("GPUs", free.size() + " free of " + (free.size() + busy.size()) + held));
        } else if (options.whenBusy() == WhenBusy.REFUSE) {
            checks.add(Check.failed(
                    "GPUs",
                    asked(wanted) + ", of which " + free.size() + " can be had now" + held + ".",
                    "End what holds them, wait, or let the job queue (whenBusy: queue)."));
        } else {
            checks.add(Check.warning(
                    "GPUs",
                    asked(wanted) + ", of which " + free.size() + " can be had now" + held + ".",
                    "The job waits on the box, in order, until they are."));
        }
    }

    private List<String> words(String word) {
        return BoxPreflight.words(answer, word);
    }
}
