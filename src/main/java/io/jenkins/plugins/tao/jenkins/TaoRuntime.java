package io.jenkins.plugins.tao.jenkins;

import hudson.Extension;
import hudson.ExtensionList;
import hudson.init.Terminator;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.history.Ledger;
import io.jenkins.plugins.tao.monitor.Ticker;
import io.jenkins.plugins.tao.nodes.AvoidedNodes;
import io.jenkins.plugins.tao.placing.Turns;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import jenkins.model.Jenkins;
import org.jspecify.annotations.Nullable;

/** The one engine of a controller, from its first use until Jenkins ends. */
@Extension
public class TaoRuntime {
    private @Nullable Dispatcher dispatcher;
    private @Nullable StepThreads threads;
    private @Nullable Ticker ticker;
    private @Nullable Ledger ledger;
    private @Nullable Turns turns;
    private boolean ended;

    /** Starts each part when it is first used. */
    public TaoRuntime() {
        // nothing runs in a Jenkins without TAO jobs
    }

    /** With an engine and threads of its own. */
    TaoRuntime(Dispatcher dispatcher, StepThreads threads, Ticker ticker) {
        this.dispatcher = dispatcher;
        this.threads = threads;
        this.ticker = ticker;
    }

    /** The engine that all steps, builders and pages of this controller share. */
    public static Dispatcher dispatcher() {
        return get().running();
    }

    /** The few threads on which steps begin and end; what takes its time at a target has no place here. */
    public static Executor steps() {
        return get().threads().steps();
    }

    /** The few threads for single calls of steps that wait for a target. */
    public static Executor calls() {
        return get().threads().calls();
    }

    /** The time, and calls that are due later; these run on {@link #steps}. */
    public static Ticker ticker() {
        return get().time();
    }

    /** The runs of all jobs of this controller. */
    public static Ledger ledger() {
        return get().book();
    }

    private synchronized Ledger book() {
        if (ledger == null) {
            ledger = new Ledger(
                    Jenkins.get().getRootDir().toPath().resolve("tao").resolve("ledger"));
        }
        return ledger;
    }

    /** The nodes that jobs of this controller avoid. */
    public static AvoidedNodes avoidedNodes() {
        return new AvoidedNodes(
                Jenkins.get().getRootDir().toPath().resolve("tao").resolve("nodes"));
    }

    /** The turns of this controller's jobs on targets with limits. */
    public static Turns turns() {
        return get().allTurns();
    }

    private synchronized Turns allTurns() {
        if (turns == null) {
            turns = new Turns(Jenkins.get().getRootDir().toPath().resolve("tao").resolve("turns"));
        }
        return turns;
    }

    private static TaoRuntime get() {
        return ExtensionList.lookupSingleton(TaoRuntime.class);
    }

    private synchronized Dispatcher running() {
        if (dispatcher == null) {
            requireRunning();
            dispatcher = Dispatcher.start(BackendTypes.load(), identity(), Ticker.system());
        }
        return dispatcher;
    }

    private synchronized StepThreads threads() {
        if (threads == null) {
            requireRunning();
            threads = StepThreads.start();
        }
        return threads;
    }

    private synchronized Ticker time() {
        if (ticker == null) {
            requireRunning();
            ticker = Ticker.system();
        }
        return ticker;
    }

    private static Controller identity() {
        Jenkins jenkins = Jenkins.get();
        String url = jenkins.getRootUrl();
        return ControllerIdentity.of(
                jenkins.getRootDir().toPath(), jenkins.getLegacyInstanceId(), url == null ? "" : url);
    }

    /** Ends the engine's connections and threads; jobs continue and are watched again after the restart. */
    @Terminator
    public synchronized void stop() {
        ended = true;
        if (ticker != null) {
            ticker.close();
        }
        if (threads != null) {
            threads.close();
        }
        if (dispatcher != null) {
            dispatcher.close();
        }
    }

    /** What still ends with Jenkins must not start an engine that nothing ends. */
    private void requireRunning() {
        if (ended) {
            throw new RejectedExecutionException(
                    "Jenkins is shutting down; the job continues and is watched after the restart");
        }
    }
}
