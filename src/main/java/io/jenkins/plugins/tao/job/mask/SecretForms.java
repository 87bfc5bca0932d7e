package io.jenkins.plugins.tao.job.mask;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The forms in which shells and encoders print a value: quoted, escaped, in JSON, in a URL, in hexadecimal digits, in base64 at
 * each of its three alignments. Follows the pattern factories of the Jenkins plugin credentials-binding.
 *
 * @see <a href="https://github.com/jenkinsci/credentials-binding-plugin">credentials-binding, package
 *     {@code org.jenkinsci.plugins.credentialsbinding.masking}</a>, read at 725.ve52b_2328a_fde: literal, base64 with its
 *     shifts, Bourne shells, bash and cmd
 */
final class SecretForms {
    /** A shorter form would stand in a text that has nothing to do with the value. */
    static final int SHORTEST = 6;

    private static final int[] WRAPS = {76, 64};

    private SecretForms() {}

    /** All forms of {@code value} but the value itself; those shorter than {@link #SHORTEST} are left out. */
    static Set<String> of(String value) {
        Set<String> forms = new LinkedHashSet<>();
        quoted(value, forms);
        json(value, forms);
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        url(bytes, forms);
        String hex = HexFormat.of().formatHex(bytes);
        forms.add(hex);
        forms.add(hex.toUpperCase(Locale.ROOT));
        base64(bytes, Base64.getEncoder(), forms);
        base64(bytes, Base64.getUrlEncoder(), forms);
        forms.removeIf(form -> form.length() < SHORTEST || form.equals(value));
        return forms;
    }

    /** As {@code set -x}, {@code printf %q}, {@code declare -p} and cmd show it, without the quotes around it. */
    private static void quoted(String value, Set<String> forms) {
        forms.add(value.replace("'", "'\\''"));
        forms.add(value.replace("'", "'\"'\"'"));
        forms.add(value.replace("'", "\\'"));
        forms.add(value.replaceAll("([\\\\\"$`])", "\\\\$1"));
        forms.add(value.replaceAll("([^A-Za-z0-9_@%+=:,./\\n-])", "\\\\$1"));
        forms.add(value.replace("\\", "\\\\")
                .replace("'", "\\'")
                .replace("\n", "\\n")
                .replace("\t", "\\t"));
        forms.add(value.replaceAll("([\"^&<>|()%!])", "^$1"));
    }

    private static void json(String value, Set<String> forms) {
        String text = value.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\t", "\\t");
        forms.add(text);
        forms.add(text.replace("/", "\\/"));
        StringBuilder ascii = new StringBuilder();
        text.chars()
                .forEach(c -> ascii.append(
                        c < 0x20 || c > 0x7e ? String.format(Locale.ROOT, "\\u%04x", c) : String.valueOf((char) c)));
        forms.add(ascii.toString());
        forms.add(
                ascii.toString().replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"));
    }

    private static void url(byte[] bytes, Set<String> forms) {
        StringBuilder path = new StringBuilder();
        for (byte each : bytes) {
            int b = each & 0xff;
            boolean plain = b < 0x80 && (Character.isLetterOrDigit(b) || "-._~".indexOf(b) >= 0);
            path.append(plain ? String.valueOf((char) b) : String.format(Locale.ROOT, "%%%02X", b));
        }
        String text = path.toString();
        forms.add(text);
        forms.add(text.replace("%20", "+"));
        forms.add(text.replace("%2F", "/"));
        forms.add(text.replaceAll("%([0-9A-F]{2})", "%$1").toLowerCase(Locale.ROOT));
    }

    /** By itself, and within a longer text at each alignment, without the characters that depend on what stands beside it. */
    private static void base64(byte[] bytes, Base64.Encoder encoder, Set<String> forms) {
        String whole = encoder.encodeToString(bytes);
        forms.add(whole);
        for (int shift = 0; shift < 3; shift++) {
            byte[] shifted = new byte[shift + bytes.length];
            System.arraycopy(bytes, 0, shifted, shift, bytes.length);
            String text = encoder.withoutPadding().encodeToString(shifted);
            int from = shift == 0 ? 0 : shift + 1;
            int to = shifted.length % 3 == 0 ? text.length() : text.length() - 1;
            if (from < to) {
                forms.add(text.substring(from, to));
            }
        }
        for (int wrap : WRAPS) {
            if (whole.length() > wrap) {
                forms.addAll(Arrays.asList(whole.split("(?<=\\G.{" + wrap + "})", -1)));
            }
        }
    }
}
