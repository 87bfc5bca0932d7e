package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.gate.Confirmation;
import io.jenkins.plugins.tao.record.RunOrigin;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** That a request is for the run which settles a suspect night. It is saved with its step: no record. */
public final class Confirming implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String night;
    private final String run;
    private final ArrayList<String> avoidedNodes;

    /** The run that {@code wanted} names. */
    public Confirming(Confirmation wanted) {
        night = wanted.night();
        run = wanted.of().id();
        avoidedNodes = new ArrayList<>(wanted.avoidNodes());
    }

    /** {@code origin} with what it confirms. */
    RunOrigin added(RunOrigin origin) {
        return origin.with(RunOrigin.CONFIRMS, night).with(RunOrigin.CONFIRMED_RUN, run);
    }

    /** The nodes of the run that it repeats, not to be used where the target can avoid them. */
    List<String> avoidedNodes() {
        return List.copyOf(avoidedNodes);
    }
}
