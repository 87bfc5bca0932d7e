package io.jenkins.plugins.tao.remote.files;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes a tar stream that GNU tar and busybox read: long names by GNU's entries {@code L} and {@code K}, sizes from 8 GiB on in
 * base 256. Owners and times are left out.
 *
 * @see <a href="https://www.gnu.org/software/tar/manual/html_node/Standard.html">GNU tar 1.34, Basic Tar Format</a>
 */
record TarWriter(OutputStream out) {
    static final int BLOCK = 512;

    private static final int NAME = 100;
    private static final int SIZE_AT = 124;
    private static final int SIZE_DIGITS = 11;
    private static final int CHECKSUM_AT = 148;
    private static final int TYPE_AT = 156;
    private static final int LINK_AT = 157;
    private static final int MAGIC_AT = 257;
    private static final long LARGEST_OCTAL = (1L << 33) - 1;
    private static final String LONG = "././@LongLink";

    /** What writes the content of one file: so many bytes as its header tells. */
    @FunctionalInterface
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    void file(String name, long size, boolean executable, Content content) throws IOException {
        begin(name, size, executable);
        content.writeTo(out);
        pad(size);
    }

    /** The header of a file; its content follows on the same stream, then {@link #pad}. */
    void begin(String name, long size, boolean executable) throws IOException {
        longText('L', name);
        out.write(header(name, executable ? "0000700" : "0000600", '0', size, ""));
    }

    void link(String name, String target) throws IOException {
        longText('K', target);
        longText('L', name);
        out.write(header(name, "0000777", '2', 0, target));
    }

    /** Two empty blocks are the end. */
    void end() throws IOException {
        out.write(new byte[2 * BLOCK]);
        out.flush();
    }

    private void longText(char type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > NAME) {
            out.write(header(LONG, "0000000", type, bytes.length + 1L, ""));
            out.write(bytes);
            out.write(0);
            pad(bytes.length + 1L);
        }
    }

    /** Fills the last block of a content of {@code size} bytes. */
    void pad(long size) throws IOException {
        out.write(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
    }

    private static byte[] header(String name, String mode, char type, long size, String link) throws IOException {
        ByteArrayOutputStream fields = new ByteArrayOutputStream();
        fields.write(field(name, NAME));
        fields.write(field(mode, 8));
        fields.write(field("0000000", 8));
        fields.write(field("0000000", 8));
        fields.write(new byte[SIZE_DIGITS + 1]);
        fields.write(field("00000000000", SIZE_DIGITS + 1));
        byte[] header = Arrays.copyOf(fields.toByteArray(), BLOCK);
        size(header, size);
        header[TYPE_AT] = (byte) type;
        byte[] linked = field(link, NAME);
        System.arraycopy(linked, 0, header, LINK_AT, NAME);
        byte[] magic = "ustar  \0".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(magic, 0, header, MAGIC_AT, magic.length);
        checksum(header);
        return header;
    }

    private static byte[] field(String text, int length) {
        return Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), length);
    }

    private static void size(byte[] header, long size) {
        if (size <= LARGEST_OCTAL) {
            byte[] digits = String.format("%011o", size).getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(digits, 0, header, SIZE_AT, digits.length);
            return;
        }
        header[SIZE_AT] = (byte) 0x80;
        long left = size;
        for (int at = SIZE_AT + SIZE_DIGITS; left > 0; at--) {
            header[at] = (byte) left;
            left >>>= Byte.SIZE;
        }
    }

    /** The sum of all bytes, its own field taken as blanks. */
    private static void checksum(byte[] header) {
        Arrays.fill(header, CHECKSUM_AT, CHECKSUM_AT + 8, (byte) ' ');
        int sum = 0;
        for (byte value : header) {
            sum += Byte.toUnsignedInt(value);
        }
        byte[] digits = String.format("%06o\0 ", sum).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(digits, 0, header, CHECKSUM_AT, digits.length);
    }
}
