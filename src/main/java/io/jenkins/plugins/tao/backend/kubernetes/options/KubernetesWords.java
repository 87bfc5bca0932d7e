package io.jenkins.plugins.tao.backend.kubernetes.options;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Words that Kubernetes takes; each check names the field and the value. */
final class KubernetesWords {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern DNS_LABEL = Pattern.compile("(?=.{1,63}$)" + LABEL);
    private static final Pattern DNS_SUBDOMAIN = Pattern.compile("(?=.{1,253}$)" + LABEL + "(\\." + LABEL + ")*");
    private static final Pattern LABEL_KEY =
            Pattern.compile("(" + LABEL + "(\\." + LABEL + ")*/)?(?=.{1,63}$)[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
    private static final Pattern LABEL_VALUE =
            Pattern.compile("(?=.{0,63}$)([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?");
    private static final Pattern QUANTITY = Pattern.compile("[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|Ki|Mi|Gi|Ti|Pi)?");
    private static final Pattern PATH = Pattern.compile("/[A-Za-z0-9._@+=,/-]*");

    private KubernetesWords() {}

    static void label(String field, Optional<String> value) {
        value.ifPresent(text -> require(
                DNS_LABEL.matcher(text).matches(),
                "%s must be lower-case letters, digits and '-', at most 63, was '%s'",
                field,
                text));
    }

    static void name(String field, Optional<String> value) {
        value.ifPresent(text -> require(
                DNS_SUBDOMAIN.matcher(text).matches(),
                "%s must be a name as Kubernetes takes it: lower-case letters, digits, '-' and '.', was '%s'",
                field,
                text));
    }

    static void labels(String field, Map<String, String> labels) {
        labels.forEach((key, value) -> {
            labelKey(field, key);
            require(
                    LABEL_VALUE.matcher(value).matches(),
                    "%s: the value of '%s' must be at most 63 letters, digits, '-', '_' and '.', was '%s'",
                    field,
                    key,
                    value);
        });
    }

    static void labelKey(String field, String key) {
        require(LABEL_KEY.matcher(key).matches(), "%s: '%s' is not a label name of Kubernetes", field, key);
    }

    static boolean isLabelValue(String value) {
        return LABEL_VALUE.matcher(value).matches();
    }

    static void quantity(String field, Optional<String> value) {
        value.ifPresent(text -> require(
                QUANTITY.matcher(text).matches(), "%s must be a quantity such as 64Gi or 500m, was '%s'", field, text));
    }

    static void path(String field, String path) {
        require(
                PATH.matcher(path).matches() && !path.contains("/../") && !path.endsWith("/.."),
                "%s must be an absolute path of letters, digits and . _ @ + = , - /, was '%s'",
                field,
                path);
    }

    static String withoutSlash(String path) {
        return path.length() > 1 && path.endsWith("/") ? withoutSlash(path.substring(0, path.length() - 1)) : path;
    }
}
