package io.jenkins.plugins.tao.jenkins;

import io.jenkins.plugins.tao.jenkins.config.ProxyJumpConfiguration;
import io.jenkins.plugins.tao.jenkins.config.S3Configuration;
import io.jenkins.plugins.tao.jenkins.config.SecurityContextConfiguration;
import io.jenkins.plugins.tao.jenkins.config.SlurmRestConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import io.jenkins.plugins.tao.reference.Forms;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jenkinsci.Symbol;

/** A target of each kind with a right value for each of its properties, as configuration as code writes them. */
public final class TargetSamples {
    private static final Pattern CHOICES = Pattern.compile("one of \\[([^\\]]*)]");
    /** One of these is right for any property of a target. */
    private static final List<String> TEXTS = List.of(
            "/srv/a",
            "a text",
            "name-1",
            "3",
            "true",
            "false",
            "30m",
            "12h",
            "https://host.example.org",
            "https",
            "10.5",
            "64G",
            "A: b",
            "/a:/b",
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
            "login-01.example ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl");

    private TargetSamples() {}

    /** By the symbol of the kind, what stands below it. */
    public static Map<String, Map<String, Object>> all() {
        Map<String, Map<String, Object>> all = new LinkedHashMap<>();
        for (Class<?> type : Forms.all()) {
            if (TargetConfiguration.class.isAssignableFrom(type)) {
                all.put(symbol(type), sample(type));
            }
        }
        return all;
    }

    private static String symbol(Class<?> type) {
        try {
            return Objects.requireNonNull(
                            Class.forName(type.getName() + "$DescriptorImpl").getAnnotation(Symbol.class))
                    .value()[0];
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> sample(Class<?> type) {
        Described described = new Described(type);
        Map<String, Object> sample = new LinkedHashMap<>(Map.of("name", type.getSimpleName()));
        Forms.properties(type).forEach((property, of) -> {
            if (!property.equals("name")) {
                sample.put(property, value(described, property, of));
            }
        });
        return sample;
    }

    private static Object value(Described described, String property, Class<?> of) {
        if (of == String.class) {
            return text(described, property);
        }
        return of == boolean.class
                ? !Boolean.TRUE.equals(Forms.value(described.make(Map.of("name", "a")), property))
                : part(of);
    }

    private static String text(Described described, String property) {
        Object fresh = described.make(Map.of("name", "a"));
        return Stream.concat(TEXTS.stream(), choices(described, property))
                .filter(text -> !text.equals(Forms.value(fresh, property)))
                .filter(text -> wrong(described, property, text).isEmpty())
                .findFirst()
                .orElseThrow(() -> new AssertionError(wrong(described, property, TEXTS.get(0))));
    }

    /** The words that the error offers. */
    private static Stream<String> choices(Described described, String property) {
        Matcher offered =
                CHOICES.matcher(wrong(described, property, TEXTS.get(0)).orElse(""));
        return offered.find() ? Stream.of(offered.group(1).split(", ")) : Stream.of();
    }

    private static Optional<String> wrong(Described described, String property, String text) {
        return wrong(described.make(Map.of("name", "a", property, text)));
    }

    /** What is wrong with the fields of a target, which it itself knows. */
    private static Optional<String> wrong(Object target) {
        try {
            Method check = TargetConfiguration.class.getDeclaredMethod("checkFields");
            check.setAccessible(true);
            check.invoke(target);
            return Optional.empty();
        } catch (InvocationTargetException e) {
            return Optional.of(
                    String.valueOf(Objects.requireNonNull(e.getCause()).getMessage()));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> part(Class<?> type) {
        Map<Class<?>, Map<String, Object>> parts = Map.of(
                ProxyJumpConfiguration.class,
                        Map.of("host", "gate.example.org", "port", "2222", "user", "ci", "credentialsId", "gate-key"),
                S3Configuration.class,
                        Map.of(
                                "endpoint", "https://s3.example.org",
                                "region", "eu",
                                "bucket", "results",
                                "credentialsId", "s3-key",
                                "uploadEvery", "15m",
                                "exclude", "*.tmp"),
                SecurityContextConfiguration.class,
                        Map.of("runAsUser", "1000", "runAsGroup", "1000", "fsGroup", "1000"),
                SlurmRestConfiguration.class,
                        Map.of(
                                "url", "https://rest.example.org",
                                "user", "ci",
                                "tokenCredentialsId", "rest-token",
                                "plainText", "true"));
        return Objects.requireNonNull(parts.get(type), type.getName());
    }
}
