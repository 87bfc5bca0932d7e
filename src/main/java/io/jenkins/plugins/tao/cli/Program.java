package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.bind.RecordBinder;
import io.jenkins.plugins.tao.cli.jobs.Waiting;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Interrupts;
import io.jenkins.plugins.tao.cli.terminal.Preloading;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.cli.verbs.Verbs;
import io.jenkins.plugins.tao.failure.FailureRules;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.job.text.Suggestions;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

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
            "  3 no answer or lost, 4 cancelled, 5 and 6 worse by a gate, 130 left by Ctrl-C while the job continues.",
            "  Details: docs/cli.md."
        })
public record Program(Surroundings here, Interrupts interrupts) {
    private static final Set<String> VERSION = Set.of("--version", "-V");
    private static final Set<String> SENDING = Set.of("submit", "run");

    /** Carries out {@code arguments} and gives the exit code. */
    public static int execute(Surroundings here, Interrupts interrupts, String... arguments) {
        if (arguments.length == 1 && VERSION.contains(arguments[0])) {
            here.out().println(version());
            return ExitCode.SUCCEEDED.number();
        }
        if (arguments.length > 0 && SENDING.contains(arguments[0])) {
            Preloading.start("of jobs", () -> loadForJobs(here));
        }
        CommandLine line = line(here, interrupts, arguments);
        boolean command = arguments.length == 0
                || arguments[0].startsWith("-")
                || line.getSubcommands().containsKey(arguments[0]);
        return line.execute(command ? arguments : new String[] {arguments[0]}); // what follows it says nothing of it
    }

    /** What reads a job file and renders a job, beside the reading of the command line. */
    private static void loadForJobs(Surroundings here) {
        here.types().all().stream().findFirst().ifPresent(type -> RecordBinder.empty(type.optionsType()));
        FailureRules.own();
    }

    /** The command line for {@code arguments}: with the verb they name, or with all when they name none. */
    static CommandLine line(Surroundings here, Interrupts interrupts, String... arguments) {
        return new Program(here, interrupts).commandLine(arguments);
    }

    private CommandLine commandLine(String... arguments) {
        CommandLine line = new CommandLine(this);
        Map<String, Supplier<Object>> verbs = Verbs.all(here, interrupts);
        Optional<Supplier<Object>> asked = Arrays.stream(arguments).findFirst().map(verbs::get);
        if (asked.isPresent()) {
            line.addSubcommand(
                    asked.get().get()); // to read the annotations of all verbs takes longer than most of them run
        } else {
            verbs.values().forEach(verb -> line.addSubcommand(verb.get()));
        }
        line.registerConverter(
                Duration.class,
                text -> Durations.parse(text)
                        .orElseThrow(() -> new TypeConversionException("'" + text + "' must be " + Durations.FORM)));
        line.registerConverter(int.class, Program::count);
        line.registerConverter(Integer.class, Program::count);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setColorScheme(CommandLine.Help.defaultColorScheme(
                here.colours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
        line.setOut(new PrintWriter(here.out(), true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(here.err(), true, StandardCharsets.UTF_8));
        line.setExecutionExceptionHandler((fault, command, parsed) -> told(fault));
        line.setParameterExceptionHandler((wrong, words) -> wrongUsage(wrong));
        return line;
    }

    private static String name(CommandLine.Model.ArgSpec argument) {
        return argument instanceof CommandLine.Model.OptionSpec option ? option.longestName() : argument.paramLabel();
    }

    private static int count(String text) {
        if (!text.matches("\\d{1,9}")) {
            throw new TypeConversionException("'" + text + "' must be a whole number, 0 or more");
        }
        return Integer.parseInt(text);
    }

    /** One sentence, as of all else that is wrong; the whole help only for a command that says nothing. */
    private int wrongUsage(ParameterException wrong) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        List<String> unknown =
                wrong instanceof UnmatchedArgumentException unmatched ? unmatched.getUnmatched() : List.of();
        Set<String> verbs = command.getSubcommands().keySet();
        String word = unknown.isEmpty() ? String.valueOf(wrong.getValue()) : unknown.get(0);
        if (unknown.isEmpty() && wrong.getArgSpec() == null && wrong.getValue() == null && !verbs.isEmpty()) {
            command.usage(command.getErr());
            return ExitCode.REFUSED.number();
        }
        String what = String.valueOf(wrong.getMessage());
        Class<?> type =
                wrong.getArgSpec() == null ? Void.class : wrong.getArgSpec().auxiliaryTypes()[0];
        if (type.isEnum() && wrong.getValue() != null) {
            List<String> values = Arrays.stream(type.getEnumConstants())
                    .map(value -> value.toString().toLowerCase(Locale.ROOT))
                    .toList();
            what = name(wrong.getArgSpec()) + " has no value '" + word + "'. "
                    + Suggestions.advice(word, values, "values");
        } else if (word.startsWith("-") && !unknown.isEmpty()) {
            what = "'" + name + "' has no option '" + word + "'. "
                    + Suggestions.meant(
                            word, command.getCommandSpec().optionsMap().keySet());
        } else if (!verbs.isEmpty() && wrong.getArgSpec() == null) {
            what = "'" + name + "' has no command '" + word + "'. " + Suggestions.meant(word, verbs);
        } else if (!unknown.isEmpty()) {
            what = "'" + name + "' has no use for '" + word + "'";
        }
        here.err().println("tao: " + Sentences.join(what, "'" + name + " --help' shows what it takes"));
        return ExitCode.REFUSED.number();
    }

    private int told(Throwable fault) {
        if (fault instanceof Waiting.Failed && fault.getCause() != null) {
            return told(fault.getCause());
        }
        if (fault instanceof BackendException refused) {
            here.err()
                    .println("tao: " + refused.getMessage()
                            + (refused.remedy().isEmpty() ? "" : "\n     " + refused.remedy()));
            return ExitCode.ofRefusal(refused).number();
        }
        if (fault instanceof UsageException || fault instanceof IllegalArgumentException) {
            here.err().println("tao: " + fault.getMessage());
            return ExitCode.REFUSED.number();
        }
        if (fault instanceof UncheckedIOException && fault.getCause() != null) { // of what a watch or a placement keeps
            Throwable cause = fault.getCause();
            boolean said = cause.getCause() instanceof UsageException;
            here.err().println("tao: " + (said ? "" : fault.getMessage() + ": ") + cause.getMessage());
            return ExitCode.FAULT.number();
        }
        here.err().println("tao: this is a fault of tao itself; please report it with these lines:");
        fault.printStackTrace(here.err());
        return ExitCode.FAULT.number();
    }

    /** The version, from the jar. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {version()};
        }
    }

    private static String version() {
        String version = Program.class.getPackage().getImplementationVersion();
        return "tao-run " + (version == null ? "(from sources)" : version);
    }
}
