package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.remote.LocalHost;
import java.util.ArrayList;
import java.util.List;

/** The type {@code local}: detached processes on this machine. */
public final class LocalType implements BackendType {
    private static final String NAME = "local";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<? extends Target> targetType() {
        return LocalTarget.class;
    }

    @Override
    public Class<? extends JobOptions> optionsType() {
        return BoxOptions.class;
    }

    @Override
    public Backend open(Target target) {
        return new BoxBackend(NAME, target.name(), ((LocalTarget) target).directory(), new LocalHost());
    }

    @Override
    public Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException {
        String directory = ((LocalTarget) target).directory();
        BoxFiles files = BoxFiles.render(directory, spec, key);
        String job = BoxLayout.job(directory, key);
        List<Preview.Part> parts = new ArrayList<>();
        parts.add(new Preview.Part(job + "/command", files.command()));
        parts.add(new Preview.Part(job + "/env", files.env()));
        if (!files.spec().isEmpty()) {
            parts.add(new Preview.Part(BoxLayout.spec(directory, key), files.spec()));
        }
        parts.add(new Preview.Part(job + "/wrapper.sh", BoxFiles.wrapper()));
        return new Preview(parts);
    }
}
