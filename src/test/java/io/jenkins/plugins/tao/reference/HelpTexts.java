package io.jenkins.plugins.tao.reference;

import hudson.model.Descriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The help files of forms, as Markdown in one line. */
final class HelpTexts {
    private HelpTexts() {}

    /** The help of one property of {@code form}, of the form it extends, or of the form that it names for it. */
    static Optional<String> of(Class<?> form, String property) {
        return own(form, property).or(() -> redirected(form, property).flatMap(other -> own(other, property)));
    }

    /** The form whose help {@code form} shows for one property. */
    private static Optional<Class<?>> redirected(Class<?> form, String property) {
        try {
            Class<?> descriptor = Class.forName(form.getName() + "$DescriptorImpl");
            return ((Descriptor<?>) descriptor.getDeclaredConstructor().newInstance()).redirected(property);
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(form + " has no descriptor to ask", e);
        }
    }

    private static Optional<String> own(Class<?> form, String property) {
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
