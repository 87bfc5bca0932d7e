package io.jenkins.plugins.tao.cli.terminal;

/** What Ctrl-C does to the job that is being watched. */
public enum OnInterrupt {
    ASK,
    CANCEL,
    DETACH
}
