package io.jenkins.plugins.tao.backend.lepton;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.job.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Whether what a job names by {@code s3://} can be listed, path by path. */
final class LeptonStorageChecks {
    private static final String NAME = "S3 paths";

    private final LeptonTarget target;

    LeptonStorageChecks(LeptonTarget target) {
        this.target = target;
    }

    List<Check> run(JobSpec spec) throws BackendException {
        List<Check> checks = new ArrayList<>();
        List<String> addresses = new ArrayList<>(spec.inputs());
        spec.resultsDirectory().ifPresent(addresses::add);
        for (String address : addresses) {
            if (address.toLowerCase(Locale.ROOT).contains("lepton://")) {
                checks.add(Check.failed(
                        NAME,
                        "'" + address + "' is no address of data",
                        "Lepton's data layer is S3: write s3://" + address.replaceFirst("(?i).*lepton://", "") + "."));
            }
        }
        return checks;
    }
}
