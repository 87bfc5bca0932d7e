package io.jenkins.plugins.tao.jenkins.step;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.jenkins.run.Failures;
import java.io.IOException;
import org.jenkinsci.plugins.workflow.steps.StepContext;

/** A part of a step, done beside the thread of the Pipeline. */
@FunctionalInterface
interface StepWork {
    void run() throws BackendException, IOException, InterruptedException;

    /** Does {@code work}; its failure ends the step. */
    static void run(StepContext context, StepWork work) {
        try {
            work.run();
        } catch (IOException | BackendException | RuntimeException e) {
            context.onFailure(Failures.forUser(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            context.onFailure(e);
        }
    }
}
