package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.S3Roles.text;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.payload.S3Settings.Keys;
import io.jenkins.plugins.tao.remote.host.LocalProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files that AWS's tools share: keys in {@code ~/.aws/credentials}, and a program that prints some in {@code ~/.aws/config}.
 *
 * @see <a href="https://docs.aws.amazon.com/sdkref/latest/guide/feature-process-credentials.html">AWS SDKs and Tools Reference
 *     Guide, "Process credential provider"</a>
 */
record AwsFiles(Map<String, String> env, Path home) {
    private static final Pattern SECTION = Pattern.compile("\\s*\\[\\s*(?:profile\\s+)?([^\\]]*?)\\s*\\].*");
    private static final Pattern SETTING = Pattern.compile("([A-Za-z_]+)\\s*=\\s*(.*)");
    private static final Pattern WORD = Pattern.compile("(?:[^\\s\"']|\"[^\"]*+\"|'[^']*+')++");
    private static final Duration WITHIN = Duration.ofMinutes(1);

    /** The keys of {@code AWS_PROFILE}, by default of {@code default}; empty without any. */
    Optional<Keys> keys() throws BackendException {
        String profile = text(env, "AWS_PROFILE").orElse("default");
        Map<String, String> settings = profile("AWS_CONFIG_FILE", ".aws/config", profile);
        settings.putAll(profile("AWS_SHARED_CREDENTIALS_FILE", ".aws/credentials", profile));
        Optional<String> access = text(settings, "aws_access_key_id");
        Optional<String> secret = text(settings, "aws_secret_access_key");
        if (access.isPresent() && secret.isPresent()) {
            Optional<Secret> session = text(settings, "aws_session_token").map(Secret::of);
            return Optional.of(new Keys(Secret.of(access.get()), Secret.of(secret.get()), session));
        }
        Optional<String> command = text(settings, "credential_process");
        return command.isEmpty() ? Optional.empty() : Optional.of(printed(command.get()));
    }

    private Map<String, String> profile(String variable, String usual, String profile) throws Denied {
        Path file = home.resolve(text(env, variable).orElse(usual));
        Map<String, String> settings = new HashMap<>();
        if (!Files.isRegularFile(file)) {
            return settings;
        }
        try {
            String section = "";
            for (String line : Files.readAllLines(file, UTF_8)) {
                Matcher begins = SECTION.matcher(line);
                Matcher setting = SETTING.matcher(line);
                section = begins.matches() ? begins.group(1) : section;
                if (section.equals(profile) && setting.matches()) {
                    settings.put(setting.group(1), setting.group(2).strip());
                }
            }
            return settings;
        } catch (IOException e) {
            throw new Denied("The AWS settings in " + file + " cannot be read.", "See who may read that file.", e);
        }
    }

    private Keys printed(String command) throws BackendException {
        String who = "The credential_process of ~/.aws/config";
        ProcessBuilder program = new ProcessBuilder(words(command));
        program.environment().putAll(env);
        try {
            return RoleReply.json(who, LocalProgram.output(program, WITHIN));
        } catch (IOException e) {
            throw new Denied(
                    who + " gives no keys: it " + e.getMessage() + ".", "Run it in a terminal: it must print JSON.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Denied(who + " was interrupted.", "Try it again.", e);
        }
    }

    /** The words of a command, blanks within quotes kept. */
    static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(command);
        while (word.find()) {
            words.add(word.group().replaceAll("\"([^\"]*)\"|'([^']*)'", "$1$2"));
        }
        return words;
    }
}
