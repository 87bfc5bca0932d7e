/** What the page of a Jenkins job shows of its builds: how kpis, durations, waits and GPU-hours went. Reads records alone. */
@NullMarked
package io.jenkins.plugins.tao.jenkins.trend;

import org.jspecify.annotations.NullMarked;
