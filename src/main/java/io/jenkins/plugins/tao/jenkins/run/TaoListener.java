package io.jenkins.plugins.tao.jenkins.run;

import hudson.ExtensionList;
import hudson.ExtensionPoint;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Hears what happens to the jobs of all builds. Other plugins extend it with {@code @Extension}.
 *
 * <p>The events of one build come one after the other, in their order, on a thread that may wait for a network for a while. An
 * event may come a second time after a restart of Jenkins. What a listener throws is logged, and changes nothing for the build.
 */
public abstract class TaoListener implements ExtensionPoint {
    private static final Logger LOGGER = Logger.getLogger(TaoListener.class.getName());

    /** Hears one event. */
    public abstract void on(TaoEvent event);

    static boolean any() {
        return !ExtensionList.lookup(TaoListener.class).isEmpty();
    }

    static void tellAll(TaoEvent event) {
        for (TaoListener listener : ExtensionList.lookup(TaoListener.class)) {
            try {
                listener.on(event);
            } catch (RuntimeException | LinkageError e) { // of another plugin
                LOGGER.log(
                        Level.WARNING,
                        e,
                        () -> listener.getClass().getName() + " failed on " + event + " of "
                                + event.run().getExternalizableId());
            }
        }
    }
}
