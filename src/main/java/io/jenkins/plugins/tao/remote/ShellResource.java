package io.jenkins.plugins.tao.remote;

import io.jenkins.plugins.tao.job.OwnFile;

/** Shell text kept in a file of its own beside the classes. */
final class ShellResource {
    private ShellResource() {}

    static String text(String name) {
        return OwnFile.text(ShellResource.class, name);
    }
}
