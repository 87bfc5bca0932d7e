package io.jenkins.plugins.tao.backend.notebook;

import java.io.IOException;
import mockwebserver3.MockResponseBody;
import okio.BufferedSink;

/** The log of a running session as server-sent events, from its beginning. */
record LiveLog(SimulatedSession session) implements MockResponseBody {
    @Override
    public long getContentLength() {
        return -1;
    }

    /** Kaggle goes on until the session is over; this one ends with what there is now, so that no test depends on the length of a silence. */
    @Override
    public void writeTo(BufferedSink sink) throws IOException {
        boolean over = session.isOver();
        for (String event : session.events()) {
            sink.writeUtf8("data: " + event + "\n\n");
        }
        if (over) {
            sink.writeUtf8("data: END_OF_LOG\n\n");
        }
        sink.flush();
    }
}
