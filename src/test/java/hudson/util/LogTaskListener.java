package hudson.util;

import hudson.model.TaskListener;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Stands in for Jenkins' own in tests: writes lines to a log. */
public class LogTaskListener implements TaskListener {
    private static final long serialVersionUID = 1L;

    private final transient PrintStream lines;

    public LogTaskListener(Logger logger, Level level) {
        ByteArrayOutputStream line = new ByteArrayOutputStream() {
            @Override
            public synchronized void flush() {
                if (size() > 0) {
                    logger.log(level, "{0}", toString(StandardCharsets.UTF_8).stripTrailing());
                    reset();
                }
            }
        };
        lines = new PrintStream(line, true, StandardCharsets.UTF_8);
    }

    @Override
    public PrintStream getLogger() {
        return lines;
    }
}
