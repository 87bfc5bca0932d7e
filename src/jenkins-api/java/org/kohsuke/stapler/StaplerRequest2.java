package org.kohsuke.stapler;

public interface StaplerRequest2 {
    /** Declared above it, in jakarta.servlet.ServletRequest. */
    String getParameter(String name);

    default String getRestOfPath() {
        throw new UnsupportedOperationException();
    }

    default <T> T findAncestorObject(Class<T> type) {
        throw new UnsupportedOperationException();
    }

    /** Declared above it, in jakarta.servlet.http.HttpServletRequest. */
    String getHeader(String name);

    <T> java.util.List<T> bindJSONToList(Class<T> type, Object src);

    default <T> T bindJSON(Class<T> type, net.sf.json.JSONObject src) {
        throw new UnsupportedOperationException();
    }
}
