package io.jenkins.plugins.tao.file;

import io.jenkins.plugins.tao.job.text.Sentences;

/** What a file says cannot be used; the message says where in the file, what, and what to write instead. */
public final class FileMistake extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public FileMistake(String message) {
        super(Sentences.clean(message));
    }

    public FileMistake(String message, Throwable cause) {
        super(Sentences.clean(message), cause);
    }
}
