package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.cli.output.JobOutput;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Waits for something while the output lives on and Ctrl-C is heard. */
public record Waiting(Session session, JobOutput output) {
    private static final long TICK_MILLIS = 250;

    /**
     * Waits for {@code end}.
     *
     * @param goOn asked after Ctrl-C; false leaves
     * @return empty when left
     * @throws Failed with what {@code end} failed with
     */
    public <R> Optional<R> until(CompletableFuture<R> end, BooleanSupplier goOn) throws InterruptedException {
        while (true) {
            try {
                return Optional.of(end.get(TICK_MILLIS, TimeUnit.MILLISECONDS));
            } catch (TimeoutException e) {
                if (session.interrupts().take() && !goOn.getAsBoolean()) {
                    return Optional.empty();
                }
                output.tick(session.now());
            } catch (ExecutionException e) {
                throw new Failed(e.getCause());
            }
        }
    }

    /** Carries what a waited-for thing failed with. */
    public static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Failed(@org.jspecify.annotations.Nullable Throwable cause) {
            super(cause);
        }
    }
}
