package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.http.HttpSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;

/** What preflight can tell of a job's data in S3 before anything is started. */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
public final class S3Checks {
    private static final String NAME = "S3";

    private final Payload payload;
    private final HttpSettings http;
    private final List<Check> checks = new ArrayList<>();

    /**
     * Asks for each input, and for the bucket of each output; none for a job that uses no S3. A storage that cannot be
     * reached from here may be reached from the machines: that only warns.
     */
    public static List<Check> of(Payload payload, HttpSettings http) {
        S3Checks making = new S3Checks(payload, http);
        try {
            making.make();
        } catch (Rejected e) {
            making.checks.add(Check.failed(NAME, String.valueOf(e.getMessage()), e.remedy()));
        }
        return List.copyOf(making.checks);
    }

    private void make() throws Rejected {
        List<Transfer> downloads = payload.downloads();
        List<Transfer> uploads = payload.uploads();
        if (downloads.isEmpty() && uploads.isEmpty()) {
            return;
        }
        Optional<S3Settings> storage = payload.usedStorage();
        if (storage.isEmpty()) {
            checks.add(
                    Check.failed(NAME, "the job uses S3, but has no keys for it", "Please " + S3Settings.WANTED + "."));
            return;
        }
        if (storage.get().byRole() && !hasKeysByRole(storage.get())) {
            return;
        }
        S3Listing listing = new S3Listing(storage.get(), http);
        for (Transfer download : downloads) {
            S3Address address = download.remote();
            ask(
                    "input",
                    () -> listing.exists(address)
                            ? Check.passed("input", address + " is there")
                            : Check.failed(
                                    "input",
                                    "there is nothing at " + address,
                                    "Correct the address, or put the data there."));
        }
        for (String bucket :
                uploads.stream().map(each -> each.remote().bucket()).distinct().toList()) {
            ask("output", () -> {
                listing.checkBucket(bucket);
                return Check.passed("output", "bucket " + bucket + " answers");
            });
        }
    }

    /** Without keys of a role here, the job may have some in its container all the same: that only warns. */
    private boolean hasKeysByRole(S3Settings storage) {
        try {
            S3Keys.of(storage, http);
            return true;
        } catch (BackendException e) {
            checks.add(Check.warning(
                    NAME,
                    "no input or output was looked for from here. " + e.getMessage()
                            + " The job uses the keys of its role.",
                    e.remedy()));
            return false;
        }
    }

    /** One question to the storage. */
    private interface Question {
        Check ask() throws BackendException;
    }

    private void ask(String name, Question question) {
        try {
            checks.add(question.ask());
        } catch (Unreachable e) {
            checks.add(Check.warning(name, e.getMessage() + " The job may reach it all the same.", e.remedy()));
        } catch (BackendException e) {
            checks.add(Check.failed(name, String.valueOf(e.getMessage()), e.remedy()));
        }
    }
}
