package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.cli.terminal.Preloading;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class PreloadingTest {
    @Test
    void eachIsLoadedOnceInAProcessAndKeepsNoProcessAlive() {
        List<Thread> seen = new CopyOnWriteArrayList<>();

        Preloading.start("PreloadingTest", () -> seen.add(Thread.currentThread()));
        Preloading.start("PreloadingTest", () -> seen.add(Thread.currentThread()));
        Preloading.start("PreloadingTest, another", () -> seen.add(Thread.currentThread()));

        await().until(() -> seen.size() == 2);
        assertThat(seen).doesNotHaveDuplicates().allMatch(Thread::isDaemon);
    }
}
