package io.jenkins.plugins.tao.jenkins.step;

import java.io.Serializable;
import lombok.RequiredArgsConstructor;

/** Tells a gate that it stands in the block of a search: then each of its answers but a good one ends the block. */
@RequiredArgsConstructor
final class BisectJudge implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String commit;

    @Override
    public String toString() {
        return "the judge of " + commit;
    }
}
