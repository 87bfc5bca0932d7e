package io.jenkins.plugins.tao.jenkins;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.box.LocalType;
import io.jenkins.plugins.tao.backend.box.options.BoxSettings;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.bind.RecordBinder;
import io.jenkins.plugins.tao.jenkins.config.CredentialStore;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * This machine, whose first submission stops at a chosen place and stays there as long as Jenkins runs, and which is
 * silent while there is a file {@code silent}.
 */
final class SlowTarget {
    /** What its jobs get from the target itself. */
    static final String SECRET = "hush-of-the-target-4711";

    private SlowTarget() {}

    /** Makes {@code slow} the one target; {@code stop} is {@code preflight}, {@code answer} or {@code nowhere}. */
    static void configure(Path directory, String stop) {
        TaoGlobalConfiguration.get().setTargets(List.of(new Configuration(directory.toString(), stop)));
    }

    record Slow(String name, String directory, String stop) implements Target {
        LocalTarget local() {
            return new LocalTarget(name, directory + "/base", RecordBinder.empty(BoxSettings.class));
        }
    }

    public static final class Configuration extends TargetConfiguration {
        private final String directory;
        private final String stop;

        Configuration(String directory, String stop) {
            super("slow");
            this.directory = directory;
            this.stop = stop;
        }

        @Override
        protected Class<Slow> type() {
            return Slow.class;
        }

        @Override
        public Target toTarget(CredentialStore credentials) {
            return new Slow(getName(), directory, stop);
        }

        @Override
        public List<Secret> secretsOfJobs(CredentialStore credentials) {
            return List.of(Secret.of(SECRET));
        }
    }

    /** Found by the service loader, as all types are. */
    public static final class Type implements BackendType {
        private final LocalType local = new LocalType();

        @Override
        public String name() {
            return "slow";
        }

        @Override
        public Class<? extends Target> targetType() {
            return Slow.class;
        }

        @Override
        public Class<? extends JobOptions> optionsType() {
            return local.optionsType();
        }

        @Override
        public Backend open(Target target) {
            Slow slow = (Slow) target;
            Backend backend = local.open(slow.local());
            return (Backend) Proxy.newProxyInstance(
                    Type.class.getClassLoader(),
                    new Class<?>[] {Backend.class},
                    (proxy, method, arguments) -> ask(slow, backend, method, arguments));
        }

        @Override
        public Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException {
            return local.preview(((Slow) target).local(), spec, key);
        }
    }

    private static Object ask(Slow target, Backend backend, Method method, Object[] arguments) throws Throwable {
        if (Files.exists(Path.of(target.directory(), "silent")) && !method.getName().equals("close")) {
            throw new BackendException.Unreachable("The target is silent.", "Wait.");
        }
        boolean submit = method.getName().equals("submit");
        if (method.getName().equals("preflight") && target.stop().equals("preflight")) {
            stop(target);
        }
        try {
            Object answer = method.invoke(backend, arguments);
            if (submit && target.stop().equals("answer")) {
                Lab.await(Path.of(target.directory(), "starts"));
                stop(target);
            }
            return answer;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void stop(Slow target) throws BackendException {
        Path stopped = Path.of(target.directory(), "stopped-at-" + target.stop());
        if (Files.exists(stopped)) {
            return;
        }
        try {
            Files.createFile(stopped);
            new CountDownLatch(1).await();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendException.Unreachable("The call was interrupted.", "Wait.");
        }
    }
}
