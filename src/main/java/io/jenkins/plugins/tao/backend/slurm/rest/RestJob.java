package io.jenkins.plugins.tao.backend.slurm.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.slurm.reply.NodeList;
import io.jenkins.plugins.tao.http.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A submission as {@code slurmrestd} takes it. It reads no {@code #SBATCH} lines, so the options of the staged script are given again
 * as properties, of which each version has its own.
 *
 * @see <a href="https://slurm.schedmd.com/rest_api.html">job_submit of v0.0.38 and job_desc_msg of v0.0.41</a>; what 22.05 really takes was
 *     tried out on 22.05.8
 */
final class RestJob {
    private static final Pattern DIRECTIVE = Pattern.compile("(?m)^#SBATCH --([a-z-]+)(?:=(.*))?$");
    private static final Pattern TIME = Pattern.compile("(\\d+):(\\d\\d):00");
    private static final Pattern MEMORY = Pattern.compile("(\\d{1,9})([KMGT]?)");
    private static final Pattern SIGNAL = Pattern.compile("(B:|R:)?([A-Z0-9]+)(?:@(\\d+))?");
    private static final int SIGNAL_SECONDS = 60;
    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,9}");
    private static final Map<String, String> NUMBERS = Map.of(
            "ntasks", "tasks", "ntasks-per-node", "tasks_per_node", "cpus-per-task", "cpus_per_task", "nice", "nice");

    /** What each option is called where its value goes over as it is. */
    private static final Map<String, String> BOTH = Stream.of(("job-name=name comment array nodes account partition qos"
                            + " reservation constraint=constraints dependency output=standard_output error=standard_error"
                            + " licenses wckey mail-user=mail_user")
                    .split(" ", -1))
            .map(pair -> pair.split("=", -1))
            .collect(Collectors.toMap(names -> names[0], names -> names[names.length - 1]));

    /**
     * Where bash has no HOME it still knows whose it is. The programs of a job from a shell have these by their login, and those of a
     * job by REST only what is sent.
     */
    private static final String LOGIN =
            "export HOME=\"${HOME:-$(cd ~ && pwd)}\" USER=\"${USER:-$(id -un)}\" LOGNAME=\"${LOGNAME:-$(id -un)}\" SHELL=\"${SHELL:-/bin/bash}\"";

    private final RestVersion version;
    private final ObjectNode job = Json.object();

    private RestJob(RestVersion version) {
        this.version = version;
    }

    /**
     * The body of a submission.
     *
     * @param order what the files' host told: the script, its place and its path of programs
     * @param avoid nodes to exclude beside those that the script excludes
     * @throws Rejected if an option has no property in this version
     */
    static ObjectNode of(RestVersion version, RestOrder order, Set<String> avoid) throws Rejected {
        RestJob made = new RestJob(version);
        Map<String, String> options = options(order.script());
        order.array().ifPresent(members -> options.put("array", members));
        made.exclude(options, avoid);
        for (Map.Entry<String, String> option : options.entrySet()) {
            made.set(option.getKey(), option.getValue());
        }
        made.job.put("current_working_directory", order.directory());
        made.environment(Map.of("PATH", order.path(), "TAO_ATTEMPT", Integer.toString(order.attempt())));
        ObjectNode body = Json.object();
        body.set("job", made.job);
        body.put("script", order.script().replaceFirst("\n", Matcher.quoteReplacement("\n" + LOGIN + "\n")));
        return body;
    }

    /** The options of a script, the last of a name. */
    private static Map<String, String> options(String script) {
        Map<String, String> options = new LinkedHashMap<>();
        Matcher line = DIRECTIVE.matcher(script);
        while (line.find()) {
            options.put(line.group(1), Optional.ofNullable(line.group(2)).orElse(""));
        }
        return options;
    }

    /** A node that the script asks for by its name is not excluded: Slurm refuses a job that does both. */
    private void exclude(Map<String, String> options, Set<String> avoid) {
        Set<String> excluded = new TreeSet<>(avoid);
        excluded.removeAll(NodeList.parse(options.getOrDefault("nodelist", "")));
        if (!excluded.isEmpty()) {
            String own = options.getOrDefault("exclude", "");
            options.put("exclude", (own.isEmpty() ? "" : own + ",") + String.join(",", excluded));
        }
    }

    private void set(String option, String value) throws Rejected {
        String same = BOTH.get(option);
        if (NUMBERS.containsKey(option) && WHOLE.matcher(value).matches()) {
            job.put(NUMBERS.get(option), Integer.parseInt(value));
        } else if (same != null) {
            job.put(same, value);
        } else if (!setFlag(option, value) && !setOther(option, value)) {
            throw refused(option, value);
        }
    }

    private boolean setFlag(String option, String value) {
        switch (option) {
            case "requeue" -> job.put("requeue", true);
            case "no-requeue" -> // "requeue: false" of 22.05 changes nothing
                job.put(version.isTyped() ? "requeue" : "no_requeue", !version.isTyped());
            case "exclusive" ->
                words("shared", List.of(value.isEmpty() ? "none" : value), option, value.isEmpty() ? option : value);
            case "open-mode" -> words("open_mode", List.of(value.toUpperCase(Locale.ROOT)), "open_mode", value);
            case "wait-all-nodes" -> waitAllNodes(value.equals("1"));
            case "kill-on-invalid-dep" -> killOnInvalidDependency();
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean setOther(String option, String value) throws Rejected {
        switch (option) {
            case "time" -> time(option, value);
            case "mem" -> memory(option, value);
            case "gres" ->
                job.put(version.isTyped() ? "tres_per_node" : "gres", version.isTyped() ? "gres/" + value : value);
            case "exclude" -> words("excluded_nodes", NodeList.parse(value), "exclude_nodes", value);
            case "nodelist" -> words("required_nodes", NodeList.parse(value), "nodelist", value);
            case "signal" -> signal(option, value);
            case "mail-type" -> words("mail_type", List.of(value.split(",", -1)), "mail_type", value);
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Words; in 22.05 one text, maybe under another name. */
    private void words(String name, List<String> words, String flat, String text) {
        if (version.isTyped()) {
            words.forEach(job.withArray(name)::add);
        } else {
            job.put(flat, text);
        }
    }

    /** A boolean by its description; 22.05 takes a number alone. */
    private void waitAllNodes(boolean wanted) {
        if (version.isTyped()) {
            job.put("wait_all_nodes", wanted);
        } else {
            job.put("wait_all_nodes", wanted ? 1 : 0);
        }
    }

    private void killOnInvalidDependency() {
        if (version.isTyped()) {
            job.putArray("flags").add("KILL_INVALID_DEPENDENCY");
        } else {
            job.put("kill_on_invalid_dependency", true);
        }
    }

    private void time(String option, String value) throws Rejected {
        Matcher time = TIME.matcher(value);
        if (!time.matches()) {
            throw refused(option, value);
        }
        number("time_limit", Integer.parseInt(time.group(1)) * 60L + Integer.parseInt(time.group(2)));
    }

    private void memory(String option, String value) throws Rejected {
        Matcher memory = MEMORY.matcher(value);
        if (!memory.matches()) {
            throw refused(option, value);
        }
        long amount = Long.parseLong(memory.group(1));
        number(
                "memory_per_node",
                switch (memory.group(2)) {
                    case "K" -> Math.max(amount == 0 ? 0 : 1, amount >> 10);
                    case "G" -> amount << 10;
                    case "T" -> amount << 20;
                    default -> amount;
                });
    }

    private void number(String name, long value) {
        if (version.isTyped()) {
            job.putObject(name).put("set", true).put("infinite", false).put("number", value);
        } else {
            job.put(name, value);
        }
    }

    /** 22.05 takes no signal for the batch shell alone. */
    private void signal(String option, String value) throws Rejected {
        Matcher signal = SIGNAL.matcher(value);
        boolean shell = value.startsWith("B:");
        if (!signal.matches() || (shell && !version.isTyped())) {
            throw refused(option, value);
        }
        if (!version.isTyped()) {
            job.put("signal", value);
            return;
        }
        if (shell) {
            job.putArray("kill_warning_flags").add("BATCH_JOB");
        }
        job.put("kill_warning_signal", signal.group(2));
        String seconds = Optional.ofNullable(signal.group(3)).orElse(Integer.toString(SIGNAL_SECONDS));
        number("kill_warning_delay", Long.parseLong(seconds));
    }

    private void environment(Map<String, String> variables) {
        if (version.isTyped()) {
            variables.forEach((name, value) -> job.withArray("environment").add(name + "=" + value));
        } else {
            ObjectNode all = job.putObject("environment");
            variables.forEach(all::put);
        }
    }

    private Rejected refused(String option, String value) {
        return new Rejected(
                "The option --" + option + (value.isEmpty() ? "" : "=" + value) + " cannot be given to slurmrestd in "
                        + version + ".",
                "Leave it out, or submit by the commands of a login host: a target without rest.");
    }
}
