package io.jenkins.plugins.tao.cli;

/** What Ctrl-C does to the job that is being watched. */
enum OnInterrupt {
    ASK,
    CANCEL,
    DETACH
}
