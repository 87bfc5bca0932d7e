package io.jenkins.plugins.tao.jenkins.folder;

import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import jenkins.model.Jenkins;
import jenkins.security.HMACConfidentialKey;
import org.jspecify.annotations.Nullable;

/**
 * The targets of a folder as a text with a seal, which this Jenkins alone can make. Whoever may configure a folder can write any
 * {@code config.xml}, and a target may run commands on the controller: a text without a seal is not even read. Saved by Jenkins.
 */
final class SealedTargets {
    private static final Logger LOGGER = Logger.getLogger(SealedTargets.class.getName());

    private final @Nullable String text;
    private final @Nullable String seal;
    private transient volatile @Nullable List<TargetConfiguration> read;

    /** Seals {@code targets}, which an administrator has entered. */
    SealedTargets(List<TargetConfiguration> targets) {
        text = Jenkins.XSTREAM2.toXML(new ArrayList<>(targets));
        seal = key().mac(text);
    }

    /** Jenkins keeps the key itself in a file of the controller; asked for when there is a Jenkins. */
    private static HMACConfidentialKey key() {
        return new HMACConfidentialKey(SealedTargets.class, "targets");
    }

    /** The targets of {@code folder}; none where the seal does not fit. */
    List<TargetConfiguration> targets(String folder) {
        List<TargetConfiguration> known = read;
        if (known == null) {
            known = open(folder);
            read = known;
        }
        return known;
    }

    @SuppressWarnings("unchecked") // sealed here
    private List<TargetConfiguration> open(String folder) {
        if (text == null || seal == null || !key().checkMac(text, seal)) {
            LOGGER.log(
                    Level.WARNING,
                    "The TAO targets of {0} were not entered by an administrator of this Jenkins, and cannot be used."
                            + " Enter them in the form of the folder, and save it.",
                    folder);
            return List.of();
        }
        return List.copyOf((List<TargetConfiguration>) Jenkins.XSTREAM2.fromXML(text));
    }
}
