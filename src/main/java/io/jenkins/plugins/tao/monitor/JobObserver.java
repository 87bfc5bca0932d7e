package io.jenkins.plugins.tao.monitor;

/** Takes the events of one watch; called by one thread at a time, must not block for long. */
@FunctionalInterface
public interface JobObserver {
    /** Takes one event. What it throws is logged and changes nothing. */
    void on(JobEvent event);
}
