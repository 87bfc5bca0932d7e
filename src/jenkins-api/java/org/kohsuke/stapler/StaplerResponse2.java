package org.kohsuke.stapler;

import java.io.IOException;
import java.io.PrintWriter;

/** All is declared above it, in jakarta.servlet. */
public interface StaplerResponse2 {
    void setHeader(String name, String value);

    void setStatus(int sc);

    void setContentType(String type);

    void sendRedirect2(String url) throws IOException;

    PrintWriter getWriter() throws IOException;
}
