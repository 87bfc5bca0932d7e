package io.jenkins.plugins.tao.job.text;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The beginning of a text's SHA-256, which keeps shortened names apart, and the checksum itself. */
public final class Fingerprint {
    private Fingerprint() {}

    /** The first {@code digits} hexadecimal digits, in small letters. */
    public static String of(String text, int digits) {
        byte[] hash = sha256().digest(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(hash).substring(0, digits);
    }

    /** A new SHA-256. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
