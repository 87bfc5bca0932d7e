package io.jenkins.plugins.tao.monitor;

import java.util.Optional;

/** Keeps what a watch must not forget over a restart: positions, attempts, a request to cancel. Some hundred bytes. */
public interface WatchMemory {
    /** What {@link #save} was given last, by this process or an earlier one; empty for a new watch. */
    Optional<String> load();

    /** Keeps {@code record}, one line; on return it must survive a crash. Never called more than once a tick. */
    void save(String record);

    /** For a watch that is not taken up again: keeps nothing. */
    static WatchMemory none() {
        return new WatchMemory() {
            @Override
            public Optional<String> load() {
                return Optional.empty();
            }

            @Override
            public void save(String record) {
                // never loaded
            }
        };
    }
}
