package io.jenkins.plugins.tao.jenkins.run;

import hudson.Extension;
import hudson.model.Item;
import hudson.model.listeners.ItemListener;
import java.util.Optional;

/** Corrects what is kept under the ids of builds when their job, or a folder above it, gets another name or place. */
@Extension
public final class MovedJobs extends ItemListener {
    @Override
    public void onLocationChanged(Item item, String oldFullName, String newFullName) {
        Move move = new Move(oldFullName, newFullName);
        OpenBuilds.get().moved(move);
        LastBuilds.get().moved(move);
        CancelRequests.moved(move);
    }

    /**
     * A job that has another full name.
     *
     * @param from the full name before
     * @param to the full name now
     */
    record Move(String from, String to) {
        /** The id of a build after the move; empty where it is a build of another job. */
        Optional<String> of(String build) {
            return build.startsWith(from + "#") ? Optional.of(to + build.substring(from.length())) : Optional.empty();
        }
    }
}
