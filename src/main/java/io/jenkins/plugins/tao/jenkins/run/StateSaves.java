package io.jenkins.plugins.tao.jenkins.run;

import com.google.common.util.concurrent.ListenableFuture;
import hudson.Extension;
import hudson.ExtensionList;
import hudson.model.Run;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The saves of this controller's running Pipelines that steps wait for. */
@Extension
public final class StateSaves {
    private final SharedSaves saves = new SharedSaves(task -> TaoRuntime.steps().execute(task));

    /** Saves {@code run}, together with others that ask for the same, and goes on without a thread meanwhile. */
    public static void request(Run<?, ?> run, Supplier<ListenableFuture<Void>> save, Consumer<Future<Void>> then) {
        ExtensionList.lookupSingleton(StateSaves.class).saves.request(run.getExternalizableId(), save, then);
    }
}
