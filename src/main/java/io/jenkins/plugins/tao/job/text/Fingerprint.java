package io.jenkins.plugins.tao.job.text;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The beginning of a text's SHA-256: what keeps shortened names apart. */
public final class Fingerprint {
    private Fingerprint() {}

    /** The first {@code digits} hexadecimal digits, in small letters. */
    public static String of(String text, int digits) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, digits);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
