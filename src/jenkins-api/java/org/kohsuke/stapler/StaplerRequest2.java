package org.kohsuke.stapler;

public interface StaplerRequest2 {
    /** Declared above it, in jakarta.servlet.ServletRequest. */
    String getParameter(String name);
}
