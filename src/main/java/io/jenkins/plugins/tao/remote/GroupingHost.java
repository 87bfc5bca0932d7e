package io.jenkins.plugins.tao.remote;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;

/**
 * Sends the short scripts that several threads have at the same moment as one, in which they run one after the other:
 * opening a session costs as much as an {@code sbatch}. A script that comes alone goes alone. What breaks off, breaks
 * off for all of them: each must be safe to send again.
 */
public final class GroupingHost implements Host {
    private static final int MOST_SCRIPTS = 16;
    private static final int MOST_CHARACTERS = 1 << 20;

    /** While one group runs, the next one's session is opened. */
    private static final int GROUPS_AT_ONCE = 2;

    private final Host host;
    private final Semaphore senders = new Semaphore(GROUPS_AT_ONCE, true);
    private final Queue<Request> waiting = new ArrayDeque<>();

    /** The same machine as {@code host}, whose connection it shares. */
    public GroupingHost(Host host) {
        this.host = host;
    }

    @Override
    public Reply run(String script, Duration limit) throws BackendException {
        Request mine = new Request(new CompletableFuture<>(), script, limit);
        synchronized (waiting) {
            waiting.add(mine);
        }
        try {
            senders.acquire();
            try {
                for (List<Request> group = next(mine); !group.isEmpty(); group = next(mine)) {
                    send(group);
                }
            } finally {
                senders.release();
            }
            return mine.reply().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BackendException told) {
                throw told;
            }
            throw new IllegalStateException("a group of scripts failed", e.getCause());
        } catch (InterruptedException e) {
            synchronized (waiting) {
                waiting.remove(mine);
            }
            Thread.currentThread().interrupt();
            throw new Unreachable("A request to " + name() + " was interrupted.", "Try again.", e);
        }
    }

    /** The oldest requests, as many as go together; none when {@code mine} is under way already. */
    private List<Request> next(Request mine) {
        List<Request> group = new ArrayList<>();
        synchronized (waiting) {
            int room = MOST_CHARACTERS;
            boolean more = waiting.contains(mine);
            while (more) {
                room -= waiting.element().script().length();
                group.add(waiting.remove());
                more = group.size() < MOST_SCRIPTS
                        && !waiting.isEmpty()
                        && waiting.element().script().length() <= room;
            }
        }
        return group;
    }

    /** How many scripts wait for a session. */
    int waiting() {
        synchronized (waiting) {
            return waiting.size();
        }
    }

    private void send(List<Request> group) {
        try {
            List<Reply> replies = ask(group);
            for (int i = 0; i < group.size(); i++) {
                group.get(i).reply().complete(replies.get(i));
            }
        } catch (BackendException | RuntimeException | Error e) {
            group.forEach(request -> request.reply().completeExceptionally(e));
        }
    }

    private List<Reply> ask(List<Request> group) throws BackendException {
        if (group.size() == 1) {
            return List.of(host.run(group.get(0).script(), group.get(0).limit()));
        }
        ScriptGroup scripts =
                new ScriptGroup(group.stream().map(Request::script).toList());
        Duration limit = group.stream().map(Request::limit).reduce(Duration.ZERO, Duration::plus);
        return scripts.split(host.run(scripts.text(), limit));
    }

    @Override
    public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
        return host.stream(script, sink, limit);
    }

    @Override
    public Optional<String> standIn() {
        return host.standIn();
    }

    @Override
    public String name() {
        return host.name();
    }

    @Override
    public void close() {
        host.close();
    }

    /** A script and its reply to come. */
    private record Request(CompletableFuture<Reply> reply, String script, Duration limit) {}
}
