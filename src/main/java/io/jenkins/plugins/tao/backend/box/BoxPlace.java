package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.backend.box.options.BoxRules.Lease;
import io.jenkins.plugins.tao.backend.box.options.BoxSettings;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.backend.box.options.SshTarget;
import java.util.Optional;

/**
 * One box as its scripts see it, whichever way it is reached.
 *
 * @param type the backend's name, {@code ssh} or {@code local}
 * @param address what a person types to get there, such as {@code ssh -p 2222 tao@gpu.example}; empty for this machine
 */
public record BoxPlace(String type, String name, String base, BoxSettings settings, Optional<String> address) {
    public static BoxPlace of(LocalTarget target) {
        return new BoxPlace(LocalType.NAME, target.name(), target.baseDirectory(), target.settings(), Optional.empty());
    }

    static BoxPlace of(SshTarget target) {
        return new BoxPlace(
                SshType.NAME,
                target.name(),
                target.baseDirectory(),
                target.settings(),
                Optional.of(BoxWords.ssh(target.login())));
    }

    Lease lease() {
        return settings.rules().lease().orElse(address.isPresent() ? Lease.RENTED : Lease.OWNED);
    }

    String data() {
        return settings.places().dataDirectory().orElse(base + "/data");
    }

    String durable() {
        return settings.places().durableDirectory().orElse(base);
    }
}
