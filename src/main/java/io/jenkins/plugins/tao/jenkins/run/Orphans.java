package io.jenkins.plugins.tao.jenkins.run;

import hudson.Extension;
import hudson.ExtensionList;
import hudson.model.Run;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.LiveJobs.Found;
import io.jenkins.plugins.tao.backend.LiveJobs.Look;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.Targets;
import io.jenkins.plugins.tao.job.JobKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The jobs at the targets of this controller that no build of it looks after, as the last search has found them. What could
 * not be searched is told as unknown; what was found there before stays in the list.
 */
@Extension
public final class Orphans {
    private static final Logger LOGGER = Logger.getLogger(Orphans.class.getName());
    private static final String NO_TELLING = "Targets of this kind do not list their jobs.";

    private final Map<String, Searched> searched = new LinkedHashMap<>();
    private final Object turn = new Object();
    private String trouble = "";

    /** What one search of one target brought; of a failed one, the jobs of the last that did not fail. */
    private record Searched(TargetSearch how, List<Orphan> orphans) {}

    /** The one of this controller. */
    public static Orphans get() {
        return ExtensionList.lookupSingleton(Orphans.class);
    }

    /** Searches all configured targets, one after another; blocks on the network. */
    public void search() {
        synchronized (turn) {
            List<Targets.Place> targets = Targets.everywhere();
            targets.forEach(place -> search(place, alone(place, targets)));
            Set<String> names = targets.stream().map(Targets.Place::label).collect(Collectors.toSet());
            synchronized (searched) {
                searched.keySet().retainAll(names);
            }
        }
    }

    /** Whether its name is its own: else what it does not list may be at the other one. */
    private static boolean alone(Targets.Place place, List<Targets.Place> all) {
        String name = place.target().getName();
        return all.stream()
                        .filter(other -> other.target().getName().equals(name))
                        .count()
                == 1;
    }

    private void search(Targets.Place place, boolean alone) {
        String name = place.label();
        Instant now = TaoRuntime.ticker().now();
        try {
            Target target = place.target().toTarget(place.credentials());
            Set<String> cared = OrphanRules.caredFor(); // a job that ends during the look is in it still
            Optional<Look> look = TaoRuntime.dispatcher().live(target);
            take(name, now, look, cared);
            if (alone && look.isPresent() && look.get().gaps().isEmpty()) {
                forgetOthers(place.target().getName(), look.get().jobs());
            }
        } catch (BackendException e) {
            unknown(name, now, e.explain());
        } catch (RuntimeException e) { // whatever is wrong with this one, the others are searched
            LOGGER.log(Level.FINE, e, () -> "could not search " + name);
            unknown(name, now, String.valueOf(e.getMessage()));
        }
    }

    private void take(String name, Instant now, Optional<Look> look, Set<String> cared) {
        if (look.isEmpty()) {
            put(name, new Searched(new TargetSearch(name, now, NO_TELLING, List.of()), List.of()));
            return;
        }
        List<Found> jobs = look.get().jobs();
        OrphanRules rules = OrphanRules.after(cared);
        put(
                name,
                new Searched(
                        new TargetSearch(name, now, "", look.get().gaps()),
                        jobs.stream().flatMap(job -> rules.judge(job).stream()).toList()));
    }

    private static void forgetOthers(String target, List<Found> jobs) {
        List<String> keys = jobs.stream().map(job -> job.job().key().value()).toList();
        LastBuilds.get().keepOnly(target, keys, Instant.now());
    }

    private void unknown(String name, Instant now, String problem) {
        synchronized (searched) {
            List<Orphan> before = Optional.ofNullable(searched.get(name))
                    .map(Searched::orphans)
                    .orElse(List.of());
            searched.put(name, new Searched(new TargetSearch(name, now, problem, List.of()), before));
        }
    }

    private void put(String name, Searched search) {
        synchronized (searched) {
            searched.put(name, search);
        }
    }

    /** All that are not looked after by now, each once though two targets may lead to it. Asks no target. */
    public List<Orphan> all() {
        Set<String> cared = OrphanRules.caredFor();
        Map<String, Orphan> all = new LinkedHashMap<>();
        synchronized (searched) {
            searched.values()
                    .forEach(search -> search.orphans().forEach(orphan -> all.putIfAbsent(orphan.getId(), orphan)));
        }
        all.keySet().removeAll(cared);
        return new ArrayList<>(all.values());
    }

    /** How many an administrator should look after; quick. */
    public long alarms() {
        return all().stream().filter(Orphan::isAlarm).count();
    }

    /** How the last search of each target went; none before the first one. */
    public List<TargetSearch> searches() {
        synchronized (searched) {
            return searched.values().stream().map(Searched::how).toList();
        }
    }

    /** Why the last adoption failed; empty when it did not. */
    public String trouble() {
        synchronized (searched) {
            return trouble;
        }
    }

    /** The orphan of this id, as the last search found it. */
    public Optional<Orphan> find(String id) {
        return all().stream().filter(orphan -> orphan.getId().equals(id)).findFirst();
    }

    /** Asks for its end, again and again until its target confirms it. Returns at once. */
    public void cancel(Orphan orphan, String by) {
        String build = orphan.getBuild().isEmpty() ? folder(orphan) + "no-build#0" : orphan.getBuild();
        CancelRequests.get().pursue(build, orphan.job(), by);
        forget(orphan);
    }

    /** Where the target of a job without a build is configured: {@code folder/}, or nothing for Jenkins itself. */
    private static String folder(Orphan orphan) {
        return Targets.everywhere().stream()
                .filter(place -> place.target().getName().equals(orphan.job().target()))
                .map(place -> place.folder().getFullName())
                .findFirst()
                .filter(path -> !path.isEmpty())
                .map(path -> path + "/")
                .orElse("");
    }

    /** Keeps quiet about it from now on, also after a restart; or no longer. */
    public void ignore(Orphan orphan, boolean on) {
        IgnoredOrphans.get().set(new JobKey(orphan.getId()), on);
        replace(orphan, known -> Stream.of(known.ignored(on)));
    }

    /**
     * Watches it to its end in a build that has ended, on whose page it is shown. Returns at once.
     *
     * @param build the id of that build; its own build is best, for only that knows where its secrets came from
     * @throws IllegalArgumentException if there is no such build, or it runs
     */
    public void adopt(Orphan orphan, String build) {
        Run<?, ?> run = Optional.of(build)
                .filter(id -> id.indexOf('#') > 0)
                .<Run<?, ?>>map(Run::fromExternalizableId)
                .orElseThrow(() ->
                        new IllegalArgumentException("There is no build '" + build + "'. Name one as folder/job#12."));
        if (run.isBuilding()) {
            throw new IllegalArgumentException(
                    build
                            + " runs. Name a build that has ended, or let that one wait for the job with taoWait and its token.");
        }
        TaoRuntime.calls().execute(() -> adoptNow(orphan, run));
    }

    private void adoptNow(Orphan orphan, Run<?, ?> run) {
        String problem = "";
        try {
            UnseenEnds.adopt(run, orphan.job());
            forget(orphan);
        } catch (BackendException e) {
            problem = e.explain();
        } catch (RuntimeException e) { // whatever it is, the page tells it
            LOGGER.log(Level.WARNING, e, () -> "could not adopt " + orphan.getId());
            problem = String.valueOf(e.getMessage());
        }
        synchronized (searched) {
            trouble = problem.isEmpty() ? "" : orphan.getId() + " was not adopted: " + problem;
        }
    }

    private void forget(Orphan orphan) {
        replace(orphan, known -> Stream.empty());
    }

    private void replace(Orphan orphan, Function<Orphan, Stream<Orphan>> by) {
        synchronized (searched) {
            searched.replaceAll((name, search) -> new Searched(
                    search.how(),
                    search.orphans().stream()
                            .flatMap(known -> known.getId().equals(orphan.getId()) ? by.apply(known) : Stream.of(known))
                            .toList()));
        }
    }
}
