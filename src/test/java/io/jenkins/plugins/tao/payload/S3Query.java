package io.jenkins.plugins.tao.payload;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the path and the query of a request to a played S3. */
final class S3Query {
    private S3Query() {}

    static SortedMap<String, String> parse(String text) {
        TreeMap<String, String> query = new TreeMap<>();
        for (String pair : text.split("&", -1)) {
            if (!pair.isEmpty()) {
                String[] parts = pair.split("=", 2);
                query.put(decode(parts[0]), parts.length > 1 ? decode(parts[1]) : "");
            }
        }
        return query;
    }

    /** A plus sign is one in a path. */
    static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    }
}
