package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.job.Sentences;

/** What a user wrote cannot be used; the message says where, what and what to write instead. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(Sentences.clean(message));
    }

    UsageException(String message, Throwable cause) {
        super(Sentences.clean(message), cause);
    }
}
