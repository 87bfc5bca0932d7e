package io.jenkins.plugins.tao.jenkins.run;

import hudson.model.Run;
import java.util.ArrayList;
import java.util.List;
import lombok.Getter;

/** The jobs that builds of this controller wait for just now, for its administrators. Asks no target. */
public final class WatchedJobs {
    private WatchedJobs() {}

    /** One of them. Never changed. */
    public static final class WatchedJob {
        /** The build, as Jenkins finds it again. */
        @Getter
        private final String build;

        /** The address of the build below Jenkins' own; empty when the build is gone. */
        @Getter
        private final String url;

        private final WatchRun watch;

        private WatchedJob(String build, String url, WatchRun watch) {
            this.build = build;
            this.url = url;
            this.watch = watch;
        }

        public String getId() {
            return watch.job().key().value();
        }

        public String getTarget() {
            return watch.job().target();
        }

        /** One line: where it stands. */
        public String getStanding() {
            return watch.describe();
        }
    }

    /** The targets of jobs whose watch waits until its target can be used again, one for each such job. */
    public static List<String> blockedTargets() {
        return LiveBuilds.get().blocked().stream()
                .map(watch -> watch.job().target())
                .toList();
    }

    /** Asks for the end of the job of this id, if it is watched. Returns at once. */
    public static void cancel(String id, String by) {
        LiveBuilds.get()
                .watches()
                .values()
                .forEach(watches -> watches.stream()
                        .filter(watch -> watch.job().key().value().equals(id))
                        .forEach(watch -> {
                            var unused = watch.abort(by);
                        }));
    }

    /** All of them, build by build. */
    public static List<WatchedJob> all() {
        List<WatchedJob> all = new ArrayList<>();
        LiveBuilds.get().watches().forEach((build, watches) -> {
            if (!watches.isEmpty()) {
                Run<?, ?> run = Run.fromExternalizableId(build);
                String url = run == null ? "" : run.getUrl();
                watches.forEach(watch -> all.add(new WatchedJob(build, url, watch)));
            }
        });
        return all;
    }
}
