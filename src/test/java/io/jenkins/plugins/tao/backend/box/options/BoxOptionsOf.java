package io.jenkins.plugins.tao.backend.box.options;

import java.time.Duration;

/** Options of a job on a box with one that is not usual. */
public final class BoxOptionsOf {
    private BoxOptionsOf() {}

    public static BoxOptions grace(Duration grace) {
        return options(grace, BoxOptions.defaults().preparation());
    }

    public static BoxOptions preparation(BoxPreparation preparation) {
        return options(BoxOptions.defaults().grace(), preparation);
    }

    private static BoxOptions options(Duration grace, BoxPreparation preparation) {
        BoxOptions all = BoxOptions.defaults();
        return new BoxOptions(
                grace,
                all.onReboot(),
                all.whenBusy(),
                all.gpuCheck(),
                all.detach(),
                all.shmSize(),
                all.containerArgs(),
                preparation);
    }
}
