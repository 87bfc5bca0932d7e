package io.jenkins.plugins.tao.job;

import java.util.Locale;

/** What an experiment spec is written as, for the command that reads it. */
public enum SpecFormat {
    /** What TAO's own commands read. */
    YAML,
    /** The same values on one line; it has no word for numbers that are none. */
    JSON,
    /** What Cosmos-RL reads; it has no word for nothing. */
    TOML;

    /** What the names of such files end in. */
    public String extension() {
        return name().toLowerCase(Locale.ROOT);
    }
}
