package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.TargetedType;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import java.time.Instant;
import java.util.List;

/** Notebooks of a Kaggle account, run as commits (<i>Save &amp; Run All</i>). */
public final class KaggleType extends TargetedType<KaggleTarget> {
    static final String NAME = "kaggle";

    /** For {@link java.util.ServiceLoader}. */
    public KaggleType() {
        super(NAME, KaggleTarget.class, KaggleOptions.class);
    }

    @Override
    public Backend open(Target target) {
        KaggleTarget kaggle = checked(target);
        return new KaggleBackend(kaggle, new KaggleApi(kaggle, KaggleApi.QUIET));
    }

    @Override
    public Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException {
        NotebookRun run = NotebookRun.onKaggle(checked(target), spec, key, Instant.EPOCH);
        String file = KaggleSlug.of(key, 1) + ".ipynb";
        ObjectNode request = KagglePush.request(run).put("text", "(the text of " + file + ")");
        return new Preview(List.of(
                new Preview.Part("SaveKernel", Json.pretty(request) + "\n"),
                new Preview.Part(file, NotebookText.kaggle(run))));
    }
}
