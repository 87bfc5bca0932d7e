package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.job.Durations;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.TypeConversionException;

/** The command line: its verbs, its exit codes, and how faults are told. */
@Command(
        name = "tao",
        mixinStandardHelpOptions = true,
        versionProvider = Program.Version.class,
        description = "Runs NVIDIA TAO jobs on GPU clusters and watches them.",
        subcommands = HelpCommand.class,
        footerHeading = "%nExit codes:%n",
        footer = {
            "  0 succeeded, 1 the job failed, 2 wrong usage or refused before the start,",
            "  3 no answer or lost, 4 cancelled, 130 left by Ctrl-C while the job goes on.",
            "  docs/cli.md tells all."
        })
final class Program {
    private final Surroundings here;
    private final Interrupts interrupts;

    private Program(Surroundings here, Interrupts interrupts) {
        this.here = here;
        this.interrupts = interrupts;
    }

    /** Carries out {@code arguments} and gives the exit code. */
    static int execute(Surroundings here, Interrupts interrupts, String... arguments) {
        CommandLine line = new Program(here, interrupts).commandLine();
        return line.execute(arguments);
    }

    private CommandLine commandLine() {
        CommandLine line = new CommandLine(this);
        line.addSubcommand(new RunVerb(here, interrupts))
                .addSubcommand(new SubmitVerb(here, interrupts))
                .addSubcommand(new WaitVerb(here, interrupts))
                .addSubcommand(new StatusVerb(here, interrupts))
                .addSubcommand(new LogsVerb(here, interrupts))
                .addSubcommand(new CancelVerb(here, interrupts))
                .addSubcommand(new PreviewVerb(here, interrupts))
                .addSubcommand(new PreflightVerb(here, interrupts))
                .addSubcommand(new NotebookVerb(here, interrupts))
                .addSubcommand(new DiscoverVerb(here, interrupts))
                .addSubcommand(new CleanVerb(here, interrupts))
                .addSubcommand(new LsVerb(here, interrupts))
                .addSubcommand(new ListVerb(here, interrupts))
                .addSubcommand(BoxVerb.line(here, interrupts));
        line.registerConverter(
                Duration.class,
                text -> Durations.parse(text)
                        .orElseThrow(() -> new TypeConversionException(
                                "'" + text + "' is no length of time; write 4h, 90m, 1-12:00:00 or minutes")));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setColorScheme(CommandLine.Help.defaultColorScheme(
                here.colours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
        line.setOut(new PrintWriter(here.out(), true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(here.err(), true, StandardCharsets.UTF_8));
        line.setExecutionExceptionHandler((fault, command, parsed) -> told(fault));
        return line;
    }

    private int told(Throwable fault) {
        if (fault instanceof Waiting.Failed && fault.getCause() != null) {
            return told(fault.getCause());
        }
        if (fault instanceof BackendException refused) {
            here.err().println("tao: " + refused.getMessage() + "\n     " + refused.remedy());
            boolean waits =
                    refused instanceof BackendException.Unreachable || refused instanceof BackendException.Unreadable;
            return (waits ? ExitCode.NO_WORD : ExitCode.REFUSED).number();
        }
        if (fault instanceof UsageException || fault instanceof IllegalArgumentException) {
            here.err().println("tao: " + fault.getMessage());
            return ExitCode.REFUSED.number();
        }
        here.err().println("tao: this is a fault of tao itself; please report it with these lines:");
        fault.printStackTrace(here.err());
        return ExitCode.FAULT.number();
    }

    /** The version, from the jar. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Program.class.getPackage().getImplementationVersion();
            return new String[] {"tao-run " + (version == null ? "(from sources)" : version)};
        }
    }
}
