package io.jenkins.plugins.tao.jenkins.verdict;

import hudson.Extension;
import hudson.model.Action;
import hudson.model.Run;
import io.jenkins.plugins.tao.jenkins.page.BuildFolder;
import java.nio.file.Files;
import java.util.Collection;
import java.util.List;
import jenkins.model.TransientActionFactory;

/** Gives each build with TAO jobs a page where a person calls it good. */
@Extension
public final class BlessPages extends TransientActionFactory<Run<?, ?>> {
    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // there is no class of Run<?, ?>
    public Class<Run<?, ?>> type() {
        return (Class) Run.class;
    }

    @Override
    public Class<? extends Action> actionType() {
        return BlessPage.class;
    }

    @Override
    public Collection<? extends Action> createFor(Run<?, ?> run) {
        return Files.exists(BuildFolder.of(run).resolve("jobs.jsonl")) ? List.of(new BlessPage(run)) : List.of();
    }
}
