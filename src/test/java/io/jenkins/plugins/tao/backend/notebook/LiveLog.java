package io.jenkins.plugins.tao.backend.notebook;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import mockwebserver3.MockResponseBody;
import okio.BufferedSink;

/** The log of a running session as server-sent events, from its beginning. */
record LiveLog(SimulatedSession session) implements MockResponseBody {
    @Override
    public long getContentLength() {
        return -1;
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
        int told = 0;
        try {
            for (List<String> fresh = session.after(told); !fresh.isEmpty(); fresh = session.after(told)) {
                for (String event : fresh) {
                    sink.writeUtf8("data: " + event + "\n\n");
                }
                sink.flush();
                told += fresh.size();
            }
            sink.writeUtf8("data: END_OF_LOG\n\n").flush();
        } catch (InterruptedException e) {
            throw new InterruptedIOException();
        }
    }
}
