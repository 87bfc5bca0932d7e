package io.jenkins.plugins.tao.bench;

import io.jenkins.plugins.tao.monitor.WatchMemory;
import java.util.Optional;

/** Keeps a watch's record in memory. */
final class Memory implements WatchMemory {
    private Optional<String> record = Optional.empty();

    @Override
    public synchronized Optional<String> load() {
        return record;
    }

    @Override
    public synchronized void save(String text) {
        record = Optional.of(text);
    }
}
