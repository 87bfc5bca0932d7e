package io.jenkins.plugins.tao.jenkins.page;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route.FulfillOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** Views as HTML without Jenkins: what Jelly would fill in is filled in by the test or left empty. */
final class Views {
    private static final Path FOLDER = Path.of("src/main/resources/io/jenkins/plugins/tao/jenkins/page");

    private Views() {}

    static String read(String file) {
        try {
            return Files.readString(FOLDER.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What {@code pattern} has in its group. */
    static String part(String text, String pattern) {
        return text.replaceAll("(?s).*" + pattern + ".*", "$1");
    }

    /** The texts and elements of HTML alone. */
    static String html(String jelly) {
        return jelly.replaceAll("hidden=\"\\$\\{[^\"]*\"|</?j:[^>]*>|<st:[^>]*>|<l:icon[^>]*/>", "")
                .replaceAll("<l:copyButton[^>]*/>", "<span><button class=\"copy\">c</button></span>")
                .replaceAll("\\$\\{%([^}]*)}", "$1")
                .replaceAll("\\$\\{[^}]*}", "")
                .replaceAll("<(span|progress|div|pre|tbody)([^>]*)/>", "<$1$2></$1>");
    }

    /** Opens a page of {@code body} and these scripts; {@code state} answers what it asks for. */
    static void open(
            Page page, String address, String before, List<String> scripts, String body, Supplier<String> state) {
        StringBuilder all =
                new StringBuilder("<!doctype html><style>" + read("TaoRunAction/jobs.css") + "</style><script>"
                        + "var Behaviour = { applySubtree() {}, specify(selector, id, priority, apply) {"
                        + " addEventListener('DOMContentLoaded', () => document.querySelectorAll(selector).forEach(apply)); } };"
                        + before);
        scripts.forEach(script -> all.append(read(script)));
        String html = all.append("</script><body>").append(body).toString();
        page.route("**/*", route -> {
            boolean asked = route.request().url().endsWith("/state");
            route.fulfill(new FulfillOptions()
                    .setContentType(asked ? "application/json" : "text/html")
                    .setBody(asked ? state.get() : html));
        });
        page.navigate(address);
    }
}
