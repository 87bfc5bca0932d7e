package io.jenkins.plugins.tao.jenkins;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The lines of Jenkins' own log that a class writes, until it is closed. */
public final class HeardLog extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private HeardLog(Logger logger) {
        this.logger = logger;
    }

    /** Listens from now on. */
    public static HeardLog of(Class<?> writer) {
        HeardLog log = new HeardLog(Logger.getLogger(writer.getName()));
        log.logger.addHandler(log);
        return log;
    }

    /** All of it, a line each. */
    public String text() {
        return String.join("\n", lines);
    }

    @Override
    public void publish(LogRecord line) {
        lines.add(new SimpleFormatter().formatMessage(line));
    }

    @Override
    public void flush() {
        // keeps nothing back
    }

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
