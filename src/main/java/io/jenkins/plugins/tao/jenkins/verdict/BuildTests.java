package io.jenkins.plugins.tao.jenkins.verdict;

import hudson.PluginWrapper;
import hudson.model.Run;
import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.jenkins.page.BuildFolder;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.report.TestReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jenkins.model.Jenkins;

/**
 * Gates and jobs among the test results of a build, where the plugin junit is there. Files in the directory of the build tell what was attached,
 * so that a step which begins again after a restart attaches nothing twice.
 */
final class BuildTests {
    private static final int DIGITS = 16;

    private BuildTests() {}

    /** Attaches a verdict, and those of {@code runs} that no verdict before it did. */
    static void attach(BuildScope scope, List<RunRecord> runs, PastVerdict verdict) throws IOException {
        PluginWrapper junit = Jenkins.get().getPluginManager().getPlugin("junit");
        if (junit == null || !junit.isActive()) {
            return;
        }
        Run<?, ?> build = scope.run();
        synchronized (build) { // branches judge at one time, and the results of a build are merged
            Path folder = BuildFolder.of(build).resolve("tests");
            Path report = folder.resolve(Fingerprint.of(verdict.gate() + verdict.runs(), DIGITS) + ".xml");
            if (Files.exists(report)) {
                return;
            }
            List<RunRecord> fresh = runs.stream()
                    .filter(run -> Files.notExists(mark(folder, run)))
                    .toList();
            Files.createDirectories(folder);
            String suite = "tao." + build.getParent().getFullName().replace('.', '_');
            Path made = report.resolveSibling(report.getFileName() + ".new");
            Files.writeString(made, new TestReport(suite, fresh, List.of(verdict)).xml());
            JUnitResults.attach(build, scope.listener(), made.toFile());
            Files.move(made, report);
            for (RunRecord run : fresh) {
                Files.writeString(mark(folder, run), "");
            }
        }
    }

    private static Path mark(Path folder, RunRecord run) {
        return folder.resolve(Fingerprint.of(run.id(), DIGITS) + ".job");
    }
}
