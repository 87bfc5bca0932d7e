package io.jenkins.plugins.tao.backend.notebook;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.NotebookType;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.Report.Verdict;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.TargetedType;
import io.jenkins.plugins.tao.bind.RecordBinder;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import java.util.List;
import java.util.Optional;

/** Notebooks for Google Colab, where no program can start one. */
public final class ColabType extends TargetedType<ColabType.Place> implements NotebookType {
    static final String NAME = "colab";

    /** For {@link java.util.ServiceLoader}. */
    public ColabType() {
        super(NAME, Place.class, ColabOptions.class);
    }

    @Override
    public Backend open(Target target) {
        throw new UnsupportedOperationException("Colab starts no job.");
    }

    @Override
    public Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException {
        ColabOptions options = RecordBinder.given(spec.options(), ColabOptions.class);
        Optional<Check> failed = ColabShape.checks(spec).stream()
                .filter(check -> check.verdict() == Verdict.FAILED)
                .findFirst();
        if (failed.isPresent()) {
            throw new Rejected(failed.get().detail(), failed.get().remedy());
        }
        String notebook = NotebookText.colab(NotebookRun.onColab(options, spec, key));
        return new Preview(List.of(new Preview.Part(key + ".ipynb", notebook)));
    }

    /** Colab, which needs no description. */
    public record Place(String name) implements Target {}
}
