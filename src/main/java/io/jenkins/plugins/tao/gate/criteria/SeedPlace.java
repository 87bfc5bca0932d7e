package io.jenkins.plugins.tao.gate.criteria;

import static io.jenkins.plugins.tao.job.Require.require;

/**
 * Where a job has its seed, so that it can be given another one: {@code train.seed}, a path of its spec; {@code env.SEED}, a
 * variable; {@code args.seed}, an option of its command.
 *
 * @param pair whether the last good version runs beside the run that confirms, with the same seed
 */
public record SeedPlace(Kind kind, String name, boolean pair) {
    private static final String PAIR = "pair";
    private static final String USUAL = "train.seed";

    /** What holds the seed. */
    public enum Kind {
        SPEC,
        ENV,
        ARGS
    }

    /**
     * Reads a place. {@code pair args.seed} asks for a pair, and {@code pair} alone for one with its seed at {@code train.seed}.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static SeedPlace parse(String text) {
        String[] words = text.strip().split("\\s+", 2);
        boolean pair = words[0].equals(PAIR);
        String place = pair ? (words.length > 1 ? words[1] : USUAL) : text.strip();
        require(
                place.matches("[A-Za-z_][A-Za-z0-9_]*+([.][A-Za-z_][A-Za-z0-9_-]*+|\\[\\d{1,4}])*+"),
                "confirm must be where the job has its seed: a path of its spec such as train.seed, env.SEED or args.seed;"
                        + " or 'pair' before it; was '%s'",
                text);
        if (place.startsWith("env.")) {
            return new SeedPlace(Kind.ENV, place.substring("env.".length()), pair);
        }
        return place.startsWith("args.")
                ? new SeedPlace(Kind.ARGS, place.substring("args.".length()), pair)
                : new SeedPlace(Kind.SPEC, place, pair);
    }

    /** Whether it is a path of the spec, and no variable or option. */
    public boolean isInSpec() {
        return kind == Kind.SPEC;
    }

    @Override
    public String toString() {
        return isInSpec() ? name : kind.name().toLowerCase(java.util.Locale.ROOT) + "." + name;
    }
}
