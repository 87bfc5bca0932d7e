package io.jenkins.plugins.tao.jenkins;

import hudson.Extension;
import hudson.ExtensionList;
import hudson.init.Terminator;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import jenkins.model.Jenkins;
import org.jspecify.annotations.Nullable;

/** The one engine of a controller, from its first use until Jenkins ends. */
@Extension
public class TaoRuntime {
    private @Nullable Dispatcher dispatcher;

    /** The engine that all steps, builders and pages of this controller share. */
    public static Dispatcher dispatcher() {
        return ExtensionList.lookupSingleton(TaoRuntime.class).running();
    }

    private synchronized Dispatcher running() {
        if (dispatcher == null) {
            dispatcher = Dispatcher.start(BackendTypes.load(), identity());
        }
        return dispatcher;
    }

    private static Controller identity() {
        Jenkins jenkins = Jenkins.get();
        String url = jenkins.getRootUrl();
        return ControllerIdentity.of(
                jenkins.getRootDir().toPath(), jenkins.getLegacyInstanceId(), url == null ? "" : url);
    }

    /** Ends the engine's connections and threads; jobs go on, and are watched again after the restart. */
    @Terminator
    public synchronized void stop() {
        if (dispatcher != null) {
            dispatcher.close();
            dispatcher = null;
        }
    }
}
