package io.jenkins.plugins.tao.gate.criteria;

import static io.jenkins.plugins.tao.job.Require.require;

/**
 * Where a job has its seed, so that it can be given another one: {@code train.seed}, a path of its spec; {@code env.SEED}, a
 * variable; {@code args.seed}, an option of its command.
 */
public record SeedPlace(Kind kind, String name) {
    /** What holds the seed. */
    public enum Kind {
        SPEC,
        ENV,
        ARGS
    }

    /**
     * Reads a place.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static SeedPlace parse(String text) {
        String place = text.strip();
        require(
                place.matches("[A-Za-z_][A-Za-z0-9_]*+([.][A-Za-z_][A-Za-z0-9_-]*+|\\[\\d{1,4}])*+"),
                "confirm must be where the job has its seed: a path of its spec such as train.seed, env.SEED or args.seed; was"
                        + " '%s'",
                text);
        if (place.startsWith("env.")) {
            return new SeedPlace(Kind.ENV, place.substring("env.".length()));
        }
        return place.startsWith("args.")
                ? new SeedPlace(Kind.ARGS, place.substring("args.".length()))
                : new SeedPlace(Kind.SPEC, place);
    }

    @Override
    public String toString() {
        return kind == Kind.SPEC ? name : kind.name().toLowerCase(java.util.Locale.ROOT) + "." + name;
    }
}
