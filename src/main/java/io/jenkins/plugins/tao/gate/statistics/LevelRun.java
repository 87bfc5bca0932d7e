package io.jenkins.plugins.tao.gate.statistics;

/**
 * One run of a level, on the scale of comparison: more is better.
 *
 * @param label the run's name
 * @param value the mean of its replicates
 * @param replicates how many replicates gave a value
 * @param squares the sum of the squared distances of the replicates from {@code value}
 * @param suspected whether it was suspect at first
 */
record LevelRun(String label, double value, int replicates, double squares, boolean suspected) {
    LevelRun asSuspect() {
        return new LevelRun(label, value, replicates, squares, true);
    }
}
