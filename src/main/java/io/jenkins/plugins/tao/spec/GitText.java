package io.jenkins.plugins.tao.spec;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.job.GitCode;
import io.jenkins.plugins.tao.job.text.OwnFile;

/** The shell text that fetches a commit and lets what follows it start there. Pure, without any secret. */
final class GitText {
    private static final String PROGRAM = OwnFile.text(GitText.class, "git.sh");

    private GitText() {}

    static String before(GitCode code) {
        return "tao_git_url=" + quote(code.url()) + "\ntao_git_commit=" + code.commit() + "\ntao_git_secret="
                + code.secret().orElse("") + "\ntao_git_ssh="
                + (code.overSsh() && code.secret().isPresent() ? "1" : "") + "\n" + PROGRAM;
    }
}
