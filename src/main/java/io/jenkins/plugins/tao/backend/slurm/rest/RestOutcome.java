package io.jenkins.plugins.tao.backend.slurm.rest;

/**
 * What became of a request to take a job, as {@code rest.sh} is told of it.
 *
 * @param word {@code taken}, {@code refused} or {@code unclear}
 * @param said the id, or Slurm's words
 */
record RestOutcome(String word, String said) {
    static RestOutcome taken(String id) {
        return new RestOutcome("taken", id);
    }

    static RestOutcome refused(String said) {
        return new RestOutcome("refused", said);
    }

    /** Nobody knows whether Slurm took it: it is looked for by its name the next time. */
    static RestOutcome unclear(String said) {
        return new RestOutcome("unclear", said);
    }
}
