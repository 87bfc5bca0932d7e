package hudson.util;

import hudson.model.TaskListener;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Stands in for Jenkins' own in tests: what is written to it has no reader. */
public class LogTaskListener implements TaskListener {
    private static final long serialVersionUID = 1L;

    public LogTaskListener(Logger logger, Level level) {}

    @Override
    public PrintStream getLogger() {
        return new PrintStream(OutputStream.nullOutputStream());
    }
}
