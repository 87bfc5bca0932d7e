package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.monitor.WatchMemory;
import java.util.Optional;

/** For a watch that is not taken up again. */
final class NoMemory implements WatchMemory {
    @Override
    public Optional<String> load() {
        return Optional.empty();
    }

    @Override
    public void save(String record) {
        // nobody asks for it
    }
}
