package io.jenkins.plugins.tao.remote.files;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lombok.RequiredArgsConstructor;

/**
 * Reads a tar stream of GNU tar or busybox while it comes: regular files by name, with long names and large sizes in GNU's form and
 * in that of POSIX. Other entries pass by; what follows the end of the archive is not read.
 *
 * @see <a href="https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html">POSIX.1-2017, pax, ustar and pax formats</a>
 */
@RequiredArgsConstructor
final class TarReader extends OutputStream {
    private static final int BLOCK = TarWriter.BLOCK;
    private static final int NAME_END = 100;
    private static final int SIZE_AT = 124;
    private static final int SIZE_END = 136;
    private static final int TYPE_AT = 156;
    private static final int PREFIX_AT = 345;
    private static final int PREFIX_END = 500;
    private static final int MAGIC_AT = 257;
    private static final int LONGEST_TEXT = 64 * 1024;
    private static final Pattern PAX = Pattern.compile("\\d+ (path|size)=([^\\n]*)\\n");

    private final Files files;
    private final byte[] block = new byte[BLOCK];
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private int filled;
    private long left;
    private int padding;
    private char type;
    private String longName = "";
    private long longSize = -1;
    private boolean ended;

    /** Takes the files of the stream, one after the other. */
    interface Files {
        void begin(String name, long size) throws IOException;

        void content(byte[] bytes, int offset, int length) throws IOException;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int at = offset;
        int end = offset + length;
        while (at < end && !ended) {
            if (left > 0) {
                at += content(bytes, at, (int) Math.min(left, end - at));
            } else if (padding > 0) {
                int skipped = Math.min(padding, end - at);
                padding -= skipped;
                at += skipped;
            } else {
                int taken = Math.min(BLOCK - filled, end - at);
                System.arraycopy(bytes, at, block, filled, taken);
                filled += taken;
                at += taken;
                if (filled == BLOCK) {
                    filled = 0;
                    header();
                }
            }
        }
    }

    private int content(byte[] bytes, int at, int count) throws IOException {
        if (isFile(type)) {
            files.content(bytes, at, count);
        } else if (type == 'L' || type == 'x') {
            text.write(bytes, at, count);
        }
        left -= count;
        if (left == 0 && type == 'L') {
            longName = text.toString(StandardCharsets.UTF_8).replaceFirst("\0.*", "");
        } else if (left == 0 && type == 'x') {
            Matcher pax = PAX.matcher(text.toString(StandardCharsets.UTF_8));
            while (pax.find()) {
                if (pax.group(1).equals("path")) {
                    longName = pax.group(2);
                } else {
                    longSize = Long.parseLong(pax.group(2));
                }
            }
        }
        return count;
    }

    private void header() throws IOException {
        ended = Arrays.equals(block, new byte[BLOCK]);
        if (ended) {
            return;
        }
        if (!string(MAGIC_AT, MAGIC_AT + 5).equals("ustar")) {
            throw new IOException("what came is no tar archive");
        }
        type = (char) block[TYPE_AT];
        text.reset();
        left = isFile(type) && longSize >= 0 ? longSize : size();
        padding = (int) ((BLOCK - left % BLOCK) % BLOCK);
        if ((type == 'L' || type == 'x') && left > LONGEST_TEXT) {
            throw new IOException("a name in the tar archive is too long");
        }
        if (type != 'L' && type != 'x' && type != 'K') {
            if (isFile(type)) {
                files.begin(longName.isEmpty() ? name() : longName, left);
            }
            longName = "";
            longSize = -1;
        }
    }

    private static boolean isFile(char type) {
        return type == '0' || type == '\0' || type == '7';
    }

    /** GNU's magic is followed by a blank, and has no prefix. */
    private String name() {
        String name = string(0, NAME_END);
        String prefix = block[MAGIC_AT + 5] == 0 ? string(PREFIX_AT, PREFIX_END) : "";
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    private long size() throws IOException {
        if ((block[SIZE_AT] & 0x80) != 0) {
            long size = 0;
            for (int at = SIZE_END - Long.BYTES; at < SIZE_END; at++) {
                size = (size << Byte.SIZE) | Byte.toUnsignedInt(block[at]);
            }
            return size;
        }
        String digits = string(SIZE_AT, SIZE_END).strip();
        if (!digits.matches("[0-7]{1,12}")) {
            throw new IOException("a size in the tar archive is no number");
        }
        return Long.parseLong(digits, 8);
    }

    private String string(int from, int to) {
        int end = from;
        while (end < to && block[end] != 0) {
            end++;
        }
        return new String(block, from, end - from, StandardCharsets.UTF_8);
    }
}
