package io.jenkins.plugins.tao.reference;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The help files of forms, as Markdown in one line. */
final class HelpTexts {
    private HelpTexts() {}

    /** The help of one property of {@code form}, or of the form it extends. */
    static Optional<String> of(Class<?> form, String property) {
        for (Class<?> type = form; type != null && type != Object.class; type = type.getSuperclass()) {
            Optional<String> own = read(type, "help-" + property + ".html");
            if (own.isPresent()) {
                return own;
            }
        }
        return Optional.empty();
    }

    /** The help of the whole form; empty without one. */
    static String of(Class<?> form) {
        return read(form, "help.html").orElse("");
    }

    private static Optional<String> read(Class<?> form, String file) {
        String path = "/" + form.getName().replace('.', '/') + "/" + file;
        try (InputStream in = form.getResourceAsStream(path)) {
            return in == null
                    ? Optional.empty()
                    : Optional.of(plain(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String plain(String html) {
        return html.replaceAll("</?code>", "`")
                .replaceAll("</li>\\s*", "; ")
                .replaceAll("<[^>]*>", "")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&amp;", "&")
                .strip()
                .replaceAll("\\s+", " ");
    }
}
