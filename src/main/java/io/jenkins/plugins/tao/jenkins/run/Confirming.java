package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.gate.Confirmation;
import io.jenkins.plugins.tao.record.RunOrigin;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** That a request is for the run that checks a suspect run, or for the last good version beside it. Saved with its step. */
public final class Confirming implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String night;
    private final String run;
    private final ArrayList<String> avoidedNodes;
    private final @Nullable String beside; // absent in Pipelines that an older version saved

    /**
     * The run that {@code wanted} names.
     *
     * @param beside the label of the last good run, where its version is repeated; empty for the suspect version
     */
    public Confirming(Confirmation wanted, String beside) {
        night = wanted.night();
        run = wanted.of().id();
        avoidedNodes = new ArrayList<>(wanted.avoidNodes());
        this.beside = beside;
    }

    /** {@code origin} with what it confirms. */
    RunOrigin added(RunOrigin origin) {
        return origin.with(RunOrigin.CONFIRMS, night)
                .with(RunOrigin.CONFIRMED_RUN, run)
                .with(RunOrigin.BESIDE, beside == null ? "" : beside);
    }

    /** The nodes of the run that it repeats, not to be used where the target can avoid them. */
    List<String> avoidedNodes() {
        return List.copyOf(avoidedNodes);
    }
}
