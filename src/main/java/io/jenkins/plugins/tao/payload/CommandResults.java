package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.job.Require.require;
import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.spec.FilledJob;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The copy of its results that the command of a job makes in S3 once it has ended, where the job names an address for them and its machines
 * keep them too. The keys are the job's own secrets, and in none of these texts. Pure.
 *
 * @param results the absolute path where the command writes; with a place for its index, the results are those of one member of an array
 */
public record CommandResults(JobSpec spec, JobKey key, String results) {
    private static final String RUNNER = Stream.of("s3.py", "roles.py", "inputs.py", "results.py", "main.py")
            .map(name -> OwnFile.text(CommandResults.class, name))
            .collect(Collectors.joining());

    /** What the first rank does when the command has ended; a signal ends the command and not this. */
    private static final String BEHIND = OwnFile.text(CommandResults.class, "command-results.sh");

    /** Before a program that reads or writes S3: its keys by the names that the job may give them. */
    static final String KEYS_OF_JOB = "AWS_ACCESS_KEY_ID=\"${AWS_ACCESS_KEY_ID:-${ACCESS_KEY-}}\""
            + " AWS_SECRET_ACCESS_KEY=\"${AWS_SECRET_ACCESS_KEY:-${SECRET_KEY-}}\" ";

    private static final List<Set<String>> KEYS =
            List.of(Set.of("ACCESS_KEY", "SECRET_KEY"), Set.of("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"));

    /** Whether a job names an address of S3 for its results, so that their path is its place's to choose. */
    public static boolean isMeant(String requested) {
        return S3Address.isMeant(requested);
    }

    /** Whether a job has keys for S3 among its secrets. */
    public static boolean hasKeys(JobSpec spec) {
        return KEYS.stream().anyMatch(spec.secrets().keySet()::containsAll);
    }

    /**
     * The command and the copy behind it; the command alone where the job names no address.
     *
     * @param member what the address has behind it for a member of an array; empty for another job
     * @throws IllegalArgumentException if the address is none, or the job has no keys for it
     */
    public String around(String command, String member) {
        Optional<String> named = FilledJob.requestedResults(spec).filter(S3Address::isMeant);
        if (named.isEmpty()) {
            return command;
        }
        require(
                hasKeys(spec),
                "its results are to go to %s, and it has no keys: give it the secrets ACCESS_KEY and SECRET_KEY",
                named.get());
        S3Address address = S3Address.parse(named.get());
        S3Address own = member.isEmpty() ? address : address.resolve(member);
        return "trap : TERM INT HUP\n(\n" + command + "\n)\ntao_up_rc=$?\ntao_up_plan=" + quote(plan(own))
                + "\ntao_up_runner=" + quote(RUNNER) + "\n" + BEHIND;
    }

    /** Where S3 is for a job. */
    static Map<String, Object> service(JobSpec spec) {
        Map<String, Object> plan = new LinkedHashMap<>();
        plan.put("region", spec.env().getOrDefault("CLOUD_REGION", "us-east-1"));
        plan.put("endpoint", spec.env().getOrDefault("S3_ENDPOINT_URL", ""));
        return plan;
    }

    private String plan(S3Address address) {
        Map<String, Object> plan = service(spec);
        plan.put("files", List.of(new Transfer(address, results).plan()));
        plan.put("every", 0);
        plan.put("exclude", List.of());
        plan.put("owner", key.value());
        plan.put("results", results);
        return Json.write(plan);
    }
}
