package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.ListenableFuture;
import io.jenkins.plugins.tao.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class SharedSavesTest {
    private final SharedSaves saves = new SharedSaves(Runnable::run);
    private final List<Save> begun = new ArrayList<>();
    private final List<String> went = new ArrayList<>();

    private ListenableFuture<Void> save() {
        Save save = new Save();
        begun.add(save);
        return save;
    }

    private void request(String build, String step) {
        saves.request(build, this::save, saved -> went.add(step));
    }

    @Test
    @Promise("TR-77")
    void twoThousandStepsThatWaitForASaveNeedTwoOfThem() {
        for (int step = 0; step < 2000; step++) {
            request("build", "step " + step);
        }
        assertThat(begun).hasSize(1);

        begun.get(0).complete(null);
        assertThat(went).containsExactly("step 0");
        assertThat(begun).hasSize(2);
        begun.get(1).complete(null);

        assertThat(went).hasSize(2000);
        assertThat(begun).hasSize(2);
    }

    @Test
    void aStepThatAsksWhileASaveIsUnderWayWaitsForTheNextOne() {
        request("build", "one");
        request("build", "two");
        begun.get(0).complete(null);

        assertThat(went).containsExactly("one");
    }

    @Test
    void buildsDoNotWaitForEachOther() {
        request("one", "a");
        request("two", "b");
        begun.get(1).complete(null);

        assertThat(went).containsExactly("b");
    }

    @Test
    void aFailedSaveIsToldToAllThatWaitedForIt() {
        saves.request(
                "build", this::save, saved -> assertThatThrownBy(saved::get).hasRootCauseMessage("disk full"));
        begun.get(0).completeExceptionally(new IllegalStateException("disk full"));
        request("build", "next");
        begun.get(1).complete(null);

        assertThat(went).containsExactly("next");
    }

    private static final class Save extends CompletableFuture<Void> implements ListenableFuture<Void> {
        @Override
        public void addListener(Runnable listener, Executor executor) {
            var unused = whenCompleteAsync((done, failure) -> listener.run(), executor);
        }
    }
}
