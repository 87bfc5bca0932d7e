package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.file.Value;

/**
 * A target that can be used now.
 *
 * @param target how to reach it
 * @param options options of every job sent there, which the job's own replace
 */
public record Place(Target target, Value.Keyed options) {
    static Place of(Target target) {
        return new Place(target, new Value.Keyed("target " + target.name(), java.util.Map.of()));
    }
}
