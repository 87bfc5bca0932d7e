package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.spec.Addresses;
import java.util.Map;
import java.util.regex.Pattern;

/** One input on its way into a container, or one output on its way out of it. */
public record Transfer(S3Address remote, String local) {
    /** As our programs read it. */
    Map<String, String> plan() {
        return Map.of("bucket", remote.bucket(), "key", remote.key(), "path", local);
    }

    /** {@code addresses}, and this one in both of its forms. */
    Addresses in(Addresses addresses) {
        String address = remote.toString().substring("s3".length());
        return addresses.with("(?:s3|aws)" + Pattern.quote(address), address.length(), local);
    }
}
