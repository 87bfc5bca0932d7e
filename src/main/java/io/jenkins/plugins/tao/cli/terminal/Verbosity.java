package io.jenkins.plugins.tao.cli.terminal;

import io.jenkins.plugins.tao.monitor.JobEvent;

/**
 * How much is told.
 *
 * @param quiet only what went wrong, and the end
 * @param log whether the job's own log is shown
 */
public record Verbosity(boolean quiet, boolean log) {
    public boolean shows(JobEvent event) {
        if (event instanceof JobEvent.Lines lines) {
            return log && !quiet && lines.stream().isLog();
        }
        boolean small = event instanceof JobEvent.StatusChanged || event instanceof JobEvent.Advanced;
        return !(quiet && small);
    }
}
