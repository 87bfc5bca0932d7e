package io.jenkins.plugins.tao.jenkins;

import com.cloudbees.plugins.credentials.CredentialsProvider;
import hudson.ExtensionList;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.box.LocalType;
import io.jenkins.plugins.tao.backend.kubernetes.KubernetesType;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.jenkins.config.CredentialStore;
import io.jenkins.plugins.tao.jenkins.config.SiteFailureRules;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import io.jenkins.plugins.tao.jenkins.run.CheckedOutCode;
import io.jenkins.plugins.tao.jenkins.run.JobMetrics;
import io.jenkins.plugins.tao.monitor.HastyTicker;
import io.jenkins.plugins.tao.monitor.ManualTicker;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import io.jenkins.plugins.tao.monitor.Ticker;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import jenkins.model.Jenkins;
import org.awaitility.Awaitility;

/** A Jenkins of one test, whose one target is a simulated cluster and whose time a test moves; it knows targets on this machine too. */
public final class FakeJenkins implements AutoCloseable {
    /** The name of the target. */
    public static final String TARGET = "sim";

    private final Path home;
    private final SimulatedCluster cluster = new SimulatedCluster();
    private final ManualTicker ticker = new ManualTicker(Instant.EPOCH);
    private final Supplier<Ticker> pauses;
    private Set<Thread> others = Set.of();
    private TaoRuntime runtime;

    private FakeJenkins(Path home, Supplier<Ticker> pauses) {
        this.home = home;
        this.pauses = pauses;
        runtime = engine();
    }

    /** Lives in {@code home}, with {@code extensions} and those that every test needs; its looks at jobs follow each other soon. */
    public static FakeJenkins in(Path home, Object... extensions) {
        return started(new FakeJenkins(home, HastyTicker::new), extensions);
    }

    /** The same with looks as far apart as a real one has them, for a test that counts them. */
    public static FakeJenkins unhurried(Path home, Object... extensions) {
        return started(new FakeJenkins(home, Ticker::system), extensions);
    }

    private static FakeJenkins started(FakeJenkins jenkins, Object... extensions) {
        Jenkins.live(jenkins.home.toFile());
        ExtensionList.put(jenkins.runtime);
        ExtensionList.put(new TaoGlobalConfiguration());
        ExtensionList.put(new JobMetrics());
        ExtensionList.put(new CheckedOutCode());
        ExtensionList.put(new SiteFailureRules());
        for (Object extension : extensions) {
            ExtensionList.put(extension);
        }
        jenkins.configured(true);
        return jenkins;
    }

    private TaoRuntime engine() {
        others = Thread.getAllStackTraces().keySet();
        return new TaoRuntime(
                Dispatcher.start(
                        BackendTypes.of(cluster, new LocalType(), new KubernetesType()), Controller.NONE, pauses.get()),
                StepThreads.start(),
                ticker);
    }

    /** Ends the engine as the end of the process does, and starts another; the cluster and its jobs go on. */
    public void restart() {
        end();
        runtime = engine();
        ExtensionList.put(runtime);
    }

    /** Lets an administrator add the target, or remove it. */
    public void configured(boolean there) {
        TaoGlobalConfiguration.get().setTargets(there ? List.of(new Simulated(Optional.empty())) : List.of());
    }

    /** Lets an administrator ask that jobs avoid nodes that failed. */
    public void avoidingFor(Duration time) {
        TaoGlobalConfiguration.get().setTargets(List.of(new Simulated(Optional.of(time))));
    }

    /** The target under another name, as an administrator enters it for {@code folders}. */
    public static TargetConfiguration target(String name, String folders, boolean permitted) {
        Simulated target = new Simulated(name, Optional.empty());
        target.setFolders(folders);
        target.setPermitted(permitted);
        return target;
    }

    public SimulatedCluster cluster() {
        return cluster;
    }

    public ManualTicker ticker() {
        return ticker;
    }

    /** Starts a build. */
    public FakeBuild build(String job) {
        return new FakeBuild(job, home.resolve("jobs").resolve(job).resolve("builds/1"));
    }

    /** As the end of a process: none of the engine's threads writes a file after it. */
    private void end() {
        runtime.stop();
        Set<Thread> ours = new HashSet<>(Thread.getAllStackTraces().keySet());
        ours.removeAll(others);
        ours.removeIf(thread -> !thread.getName().startsWith("tao-run "));
        Awaitility.await("for the end of " + ours).until(() -> ours.stream().noneMatch(Thread::isAlive));
    }

    @Override
    public void close() {
        end();
        ExtensionList.removeAll();
        CredentialsProvider.removeAll();
    }

    /** The target as it is entered. */
    private static final class Simulated extends TargetConfiguration {
        private final transient Optional<Duration> avoidFailedNodesFor;

        Simulated(Optional<Duration> avoidFailedNodesFor) {
            this(TARGET, avoidFailedNodesFor);
        }

        Simulated(String name, Optional<Duration> avoidFailedNodesFor) {
            super(name);
            this.avoidFailedNodesFor = avoidFailedNodesFor;
        }

        @Override
        public Target toTarget(CredentialStore credentials) {
            return new SimulatedCluster.Place(getName(), avoidFailedNodesFor);
        }

        @Override
        protected Class<SimulatedCluster.Place> type() {
            return SimulatedCluster.Place.class;
        }
    }
}
