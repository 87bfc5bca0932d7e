package io.jenkins.plugins.tao.monitor.poll;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controlled;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.Remembering;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.monitor.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import lombok.RequiredArgsConstructor;

/** One open backend for each target in use; it is closed when nobody has borrowed it for a while. */
@RequiredArgsConstructor
public final class Connections implements AutoCloseable {
    private static final Duration LINGER = Duration.ofSeconds(30);
    /** How long what a place told of itself holds for the jobs that follow. */
    private static final Duration FRESH = Duration.ofSeconds(30);

    private final BackendTypes types;
    private final Ticker ticker;
    private final Executor io;
    private final Controller controller;
    private final Map<Target, Open> open = new HashMap<>();

    /** Lends the backend of {@code target}, opened by the first borrower; close the loan to give it back. */
    public synchronized Loan borrow(Target target) {
        Open entry = open.computeIfAbsent(target, key -> new Open(opened(key), ticker.now()));
        if (Duration.between(entry.learnt, ticker.now()).compareTo(FRESH) >= 0) {
            entry.forget(ticker.now());
        }
        entry.borrowers++;
        entry.generation++;
        return new Loan(target, entry);
    }

    private Backend opened(Target target) {
        Backend backend = types.of(target).open(target);
        if (backend instanceof Controlled controlled) {
            controlled.actFor(controller);
        }
        return backend;
    }

    /** The names of the targets whose backends are open just now, one for each connection. */
    public synchronized List<String> open() {
        return open.keySet().stream().map(Target::name).toList();
    }

    private synchronized void giveBack(Target target, Open entry) {
        entry.borrowers--;
        if (entry.borrowers == 0) {
            long generation = ++entry.generation;
            ticker.after(LINGER, () -> closeIdle(target, entry, generation));
        }
    }

    private synchronized void forgetAt(Open entry) {
        entry.forget(ticker.now());
    }

    private synchronized void closeIdle(Target target, Open entry, long generation) {
        if (entry.generation == generation && open.remove(target, entry)) {
            io.execute(entry.backend::close);
        }
    }

    @Override
    public synchronized void close() {
        open.values().forEach(entry -> entry.backend.close());
        open.clear();
    }

    private static final class Open {
        private final Backend backend;
        private Instant learnt;
        private int borrowers;
        private long generation;

        private Open(Backend backend, Instant now) {
            this.backend = backend;
            this.learnt = now;
        }

        private void forget(Instant now) {
            learnt = now;
            if (backend instanceof Remembering remembering) {
                remembering.forget();
            }
        }
    }

    /** A borrowed backend. */
    public final class Loan implements AutoCloseable {
        private final Target target;
        private final Open entry;
        private boolean returned;

        private Loan(Target target, Open entry) {
            this.target = target;
            this.entry = entry;
        }

        /** The backend, until this loan is closed. */
        public Backend backend() {
            return entry.backend;
        }

        /** Lets the backend ask anew for all that it was told of its place. */
        public void forget() {
            forgetAt(entry);
        }

        @Override
        public synchronized void close() {
            if (!returned) {
                returned = true;
                giveBack(target, entry);
            }
        }
    }
}
