package io.jenkins.plugins.tao.backend.notebook;

import java.util.Optional;

/** The two streams of a notebook, and the lines among them that it writes for us. */
final class KaggleLines {
    private static final String STATUS = "status ";
    private static final String MACHINE = "machine ";
    /** In characters. The notebook itself writes less into its log. */
    private static final int SHOWN = 8 << 20;

    private static final String CUT =
            "\ntao: this log is longer than what is read of it; the files of the output have all of it\n";

    private final String mark;
    private final Kept out = new Kept(CUT);
    private final Kept err = new Kept(CUT);
    private final Kept status = new Kept("");
    private final Kept machine = new Kept("");
    private final StringBuilder open = new StringBuilder();
    private Optional<NotebookEnd> end = Optional.empty();

    KaggleLines(String mark) {
        this.mark = mark;
    }

    /** Takes what comes next in one of the streams, cut anywhere. */
    void take(String stream, String data) {
        if (!stream.equals("stderr")) {
            out.add(data);
            return;
        }
        int from = 0;
        for (int at = data.indexOf('\n'); at >= 0; at = data.indexOf('\n', from)) {
            open.append(data, from, at + 1);
            line(open.toString());
            open.setLength(0);
            from = at + 1;
        }
        if (open.length() < SHOWN) {
            open.append(data, from, data.length());
        }
    }

    private void line(String line) {
        if (line.startsWith(mark + STATUS)) {
            status.add(line.substring(mark.length() + STATUS.length()));
        } else if (line.startsWith(mark + MACHINE)) {
            machine.add(line.substring(mark.length() + MACHINE.length()));
        } else if (line.startsWith(mark)) {
            end = NotebookEnd.parse(line.substring(mark.length()).strip());
        } else {
            err.add(line);
        }
    }

    /** All of it so far; the last line of one that grows may still be on its way. */
    KaggleLog log(boolean growing) {
        if (!growing && open.length() > 0) {
            line(open.toString());
            open.setLength(0);
        }
        return new KaggleLog(out.text(), err.text(), status.text(), machine.text(), end);
    }

    /** The beginning of a text. Once something did not fit nothing more is taken: places in it must stay what they are. */
    private static final class Kept {
        private final StringBuilder text = new StringBuilder();
        private final String atEnd;
        private boolean full;

        Kept(String atEnd) {
            this.atEnd = atEnd;
        }

        void add(String more) {
            if (full) {
                return;
            }
            full = text.length() + more.length() > SHOWN;
            text.append(full ? atEnd : more);
        }

        String text() {
            return text.toString();
        }
    }
}
