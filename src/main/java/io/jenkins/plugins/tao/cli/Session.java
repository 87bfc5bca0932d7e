package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.dispatch.Dispatcher;

/** What one call of the program needs: its surroundings, the known jobs, the dispatcher, Ctrl-C. */
record Session(Surroundings here, JobStore store, Dispatcher dispatcher, Interrupts interrupts) {}
