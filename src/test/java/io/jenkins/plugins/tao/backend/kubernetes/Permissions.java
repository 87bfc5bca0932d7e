package io.jenkins.plugins.tao.backend.kubernetes;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which permission a request needs, as RBAC has it: {@code verb group/resource/subresource}. */
final class Permissions {
    private static final Pattern PATH = Pattern.compile(
            "/(?:api|apis/(?<group>[^/]+))/[^/]+(?:/namespaces/[^/]+)?/(?<resource>[^/?]+)(?:/(?<name>[^/?]+))?"
                    + "(?:/(?<sub>[^/?]+))?(?:\\?.*)?");

    private Permissions() {}

    static String of(String method, String path) {
        Matcher match = PATH.matcher(path);
        if (!match.matches()) {
            return method + " " + path;
        }
        String verb =
                switch (method) {
                    case "POST" -> "create";
                    case "PUT" -> "update";
                    case "PATCH" -> "patch";
                    case "DELETE" -> "delete";
                    default -> match.group("name") == null ? "list" : "get";
                };
        String group = match.group("group") == null ? "" : match.group("group");
        String sub = match.group("sub") == null ? "" : "/" + match.group("sub");
        return verb + " " + group + "/" + match.group("resource") + sub;
    }
}
