package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hudson.ExtensionList;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaoRuntimeTest {
    @AfterEach
    void leave() {
        ExtensionList.removeAll();
    }

    /** A step that ends late asked for the engine again: it was started, and its threads outlived Jenkins. */
    @Test
    void nothingIsStartedAfterTheEndOfJenkins() {
        TaoRuntime runtime = new TaoRuntime();
        ExtensionList.put(runtime);

        runtime.stop();

        assertThatThrownBy(TaoRuntime::dispatcher).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(TaoRuntime::steps).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(TaoRuntime::calls).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(TaoRuntime::ticker).isInstanceOf(RejectedExecutionException.class);
    }
}
