package io.jenkins.plugins.tao.placing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobObserver;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.ManualTicker;
import io.jenkins.plugins.tao.monitor.Watch;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a job takes over from its parent, where the parent's target does not always answer. */
class ParentLookTest {
    private static final JobHandle PARENT =
            new JobHandle("dgx", "slurm", new JobKey("train-1"), 1, "7", "/jobs", "/results/train-1", Instant.EPOCH);

    private final ManualTicker ticker = new ManualTicker(Instant.EPOCH);
    private final List<String> said = new ArrayList<>();
    private final Deque<Inherited> answers = new ArrayDeque<>();
    private final List<Map<String, String>> sent = new ArrayList<>();

    /** A door to one target that takes each job; the parent has succeeded. */
    private Door door() {
        return (Door) Proxy.newProxyInstance(
                Door.class.getClassLoader(), new Class<?>[] {Door.class}, (proxy, method, arguments) -> {
                    return switch (method.getName()) {
                        case "newest" -> arguments[0];
                        case "inherit" -> answers.remove();
                        case "watchParent" -> ended((JobObserver) arguments[1]);
                        case "turn" -> Turn.none(ticker.now());
                        case "startWithin" -> Optional.empty();
                        case "send" -> {
                            sent.add(((Next.Send) arguments[0]).inherited());
                            yield CompletableFuture.completedFuture(PARENT);
                        }
                        case "say" -> said.add((String) arguments[0]);
                        case "mayBeThere", "waitsWhenRefused" -> false;
                        default -> null;
                    };
                });
    }

    private static Watch ended(JobObserver observer) {
        observer.on(new JobEvent.Ended(new JobResult(
                PARENT,
                new Outcome.Succeeded(),
                OptionalInt.of(0),
                Progress.NONE,
                Optional.empty(),
                Instant.EPOCH,
                List.of(),
                List.of(),
                Set.of())));
        return (Watch)
                Proxy.newProxyInstance(Watch.class.getClassLoader(), new Class<?>[] {Watch.class}, (w, m, a) -> null);
    }

    private Placer placed() {
        return Placer.start(
                door(),
                Placing.begin(new JobKey("evaluate-1"), List.of("dgx"), Optional.of(PARENT)),
                false,
                ticker,
                Runnable::run);
    }

    @Test
    @Promise("NS-12")
    void aTargetThatDoesNotAnswerIsAskedAgainForWhatTheParentLeft() {
        answers.add(Inherited.unknown("The checkpoints of train-1 could not be looked at."));
        answers.add(Inherited.of(Map.of("checkpoint.best", "/results/train-1/train/model_epoch_001.pth")));

        Placer placer = placed();
        assertThat(sent).isEmpty();
        assertThat(placer.result()).isNotDone();
        ticker.advance(Duration.ofSeconds(30));

        assertThat(sent).containsExactly(Map.of("checkpoint.best", "/results/train-1/train/model_epoch_001.pth"));
        assertThat(said).anyMatch(line -> line.contains("It is looked at again in 30 s"));
    }

    @Test
    @Promise("NS-12")
    void whatIsNotThereKeepsTheChildFromBeingSent() {
        answers.add(Inherited.lacking("There is none."));

        assertThatThrownBy(() -> placed().result().join())
                .hasCauseInstanceOf(BackendException.Rejected.class)
                .hasMessageContaining("Nothing was sent. There is none.");
        assertThat(sent).isEmpty();
    }

    private static Inherited look(Optional<Paths.Listing> listing, Optional<BackendException> trouble) {
        return Inheritance.of(PARENT, Set.of("checkpoint.last"), List.of("dgx"), new Inheritance.Parent() {
            @Override
            public Optional<Paths.Listing> list(String path) throws BackendException {
                if (trouble.isPresent()) {
                    throw trouble.get();
                }
                return listing;
            }

            @Override
            public String status() {
                return "";
            }
        });
    }

    @Test
    @Promise("NS-12")
    void silenceAndAnswersThatCannotBeReadAreUnknownAndARefusalIsNot() {
        assertThat(look(Optional.empty(), Optional.of(new BackendException.Unreachable("Silent.", "")))
                        .unknown())
                .isPresent();
        assertThat(look(Optional.empty(), Optional.of(new BackendException.Unreadable("Odd.", "x", "")))
                        .unknown())
                .isPresent();
        assertThat(look(Optional.empty(), Optional.of(new BackendException.Denied("No.", "")))
                        .missing())
                .isPresent();
        assertThat(look(Optional.empty(), Optional.empty()).missing()).isPresent();
    }

    @Test
    @Promise("NS-12")
    void ofAFolderThatIsListedInPartNoneIsTheLast() {
        Paths.Entry newest = new Paths.Entry("model_epoch_009.pth", Paths.Kind.FILE, OptionalLong.of(1));

        Inherited cut = look(Optional.of(new Paths.Listing(newest, List.of(newest), true)), Optional.empty());
        Inherited whole = look(Optional.of(new Paths.Listing(newest, List.of(newest), false)), Optional.empty());

        assertThat(cut.missing().orElse("")).contains("more than 1000 files");
        assertThat(whole.values()).containsEntry("checkpoint.last", "/results/train-1/train/model_epoch_009.pth");
    }
}
