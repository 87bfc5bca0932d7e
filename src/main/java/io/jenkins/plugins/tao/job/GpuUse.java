package io.jenkins.plugins.tao.job;

import static io.jenkins.plugins.tao.job.Require.require;

import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One sample of how much a job uses its GPUs.
 *
 * @param at when it was taken, by the node's clock
 * @param gpus at least one
 */
public record GpuUse(Instant at, List<Gpu> gpus) {
    public GpuUse {
        gpus = List.copyOf(gpus);
        require(!gpus.isEmpty(), "a sample needs at least one GPU");
    }

    /**
     * One GPU.
     *
     * @param node the rank of its node among those of the job, 0 for the first
     * @param number by which its node names it
     * @param percent of the time before the sample in which it computed; empty where the node does not tell it
     * @param memoryMiB of its memory in use; empty where the node does not tell it
     */
    public record Gpu(int node, int number, OptionalDouble percent, OptionalDouble memoryMiB) {
        /** {@code 3} on the first node, {@code 1:3} on the one after it. */
        public String name() {
            return node == 0 ? Integer.toString(number) : node + ":" + number;
        }

        /** Whether it is known to have computed nothing. */
        public boolean isIdle() {
            return percent.isPresent() && percent.getAsDouble() <= 0;
        }
    }
}
