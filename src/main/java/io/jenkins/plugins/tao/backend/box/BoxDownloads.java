package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.spec.Addresses;
import java.util.Map;

/**
 * What a box fetches before the command, and where that lies then. Pure.
 *
 * @param wanted addresses by path, absolute or below the data directory
 */
record BoxDownloads(BoxPlace place, Map<String, String> wanted) {
    /** As the box reads it: an address and a path a line. */
    String list() {
        StringBuilder lines = new StringBuilder();
        wanted.forEach((path, address) ->
                lines.append(address).append(' ').append(local(path)).append('\n'));
        return lines.toString();
    }

    /** Where each of them lies. */
    Addresses addresses() {
        Addresses addresses = Addresses.NONE;
        for (Map.Entry<String, String> download : wanted.entrySet()) {
            addresses = addresses.with(download.getValue(), local(download.getKey()));
        }
        return addresses;
    }

    private String local(String path) {
        return path.startsWith("/") ? path : place.data() + "/" + path;
    }
}
