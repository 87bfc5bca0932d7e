package io.jenkins.plugins.tao.spec;

/**
 * Where a training leaves checkpoints that prove by themselves that they are whole: archives with an end.
 *
 * @param folders below the results directory, parted by bars: {@code .} is that directory, {@code train} is {@code train} below
 * @param names a pattern of their names
 * @param train the folder of the training, below the results directory
 */
public record CheckpointPlace(String folders, String names, String train) {}
