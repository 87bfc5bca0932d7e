package io.jenkins.plugins.tao.backend.notebook;

import io.jenkins.plugins.tao.job.Secret;
import java.util.Optional;

/** Kaggle accounts with every default, by the key of {@code kaggle.json}. */
final class KaggleAccount {
    private KaggleAccount() {}

    static KaggleTarget of(String username, String key) {
        return of(username, key, Optional.empty());
    }

    static KaggleTarget at(String url, String username, String key) {
        return of(username, key, Optional.of(url));
    }

    private static KaggleTarget of(String username, String key, Optional<String> url) {
        return new KaggleTarget(
                "kaggle",
                username,
                Optional.of(Secret.of(key)),
                Optional.empty(),
                url,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
