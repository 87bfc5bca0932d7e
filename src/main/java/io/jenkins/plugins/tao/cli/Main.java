package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.cli.terminal.EnvironmentFile;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Interrupts;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.monitor.Ticker;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Where {@code ./tao} begins. */
public final class Main {
    /** Set by the launcher, which can ask: since JDK 22 a console is there even without a terminal. */
    private static final String TERMINAL = "tao.terminal";

    /** Told in our own words, with what to do; kept here, for the level of a logger that nobody holds is forgotten. */
    private static final Logger SSH = Logger.getLogger("org.apache.sshd");

    private Main() {}

    /** Carries out the command of {@code arguments} and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Carries out the command of {@code arguments} and gives its exit code. */
    private static int run(String... arguments) {
        return run(
                System.getenv(),
                Path.of(System.getenv().getOrDefault("HOME", System.getProperty("user.home"))),
                arguments);
    }

    /** The same for a user with these variables and this home. */
    static int run(Map<String, String> env, Path home, String... arguments) {
        Logger.getLogger("").setLevel(Level.WARNING);
        SSH.setLevel(Level.OFF);
        Interrupts interrupts = new Interrupts(() -> Runtime.getRuntime().halt(ExitCode.DETACHED.number()));
        interrupts.listen();
        return Program.execute(surroundings(env, home), interrupts, arguments);
    }

    private static Surroundings surroundings(Map<String, String> env, Path home) {
        boolean live =
                Boolean.getBoolean(TERMINAL) && !"dumb".equals(System.getenv().getOrDefault("TERM", "dumb"));
        PrintStream err = utf8(FileDescriptor.err);
        return new Surroundings(
                EnvironmentFile.added(env, home, err),
                Path.of("").toAbsolutePath(),
                home,
                new Surroundings.Terminal(live, System.in, utf8(FileDescriptor.out), err),
                Clock.systemUTC(),
                BackendTypes.load(),
                Ticker::system);
    }

    private static PrintStream utf8(FileDescriptor to) {
        return new PrintStream(new FileOutputStream(to), true, StandardCharsets.UTF_8);
    }
}
