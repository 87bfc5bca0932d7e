package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.cli.terminal.Preloading;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.http.HttpProxy;
import io.jenkins.plugins.tao.job.text.Suggestions;
import io.jenkins.plugins.tao.tracking.MlflowSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The targets by name: those of the targets file, {@code slurm} from the environment, {@code local}, which is always
 * there, and kinds of backend that need no description. Only the one that is asked for is read in full: what another one lacks disturbs nobody.
 *
 * @param file the file they come from, when there is one
 * @param targets what it says of each, by name
 * @param accounting the prices, budgets and limits of the file
 * @param mlflow the MLflow server that runs are logged to
 */
public record Targets(
        Surroundings here,
        Optional<Path> file,
        Value.Keyed targets,
        Accounting accounting,
        Optional<MlflowSettings> mlflow) {
    static final String LOCAL = "local";
    /** Plays jobs; needs no more than a folder either. */
    private static final String SIMULATED = "simulated";

    private static final String COLAB = "colab";
    private static final String TARGETS = "targets";
    private static final String MLFLOW = "mlflow";
    private static final List<String> KEYS = List.of(TARGETS, "prices", "budgets", "limits", MLFLOW);
    private static final String PROXY = "proxy";
    private static final String DIRECTORY = "baseDirectory";

    /**
     * Finds the targets file: {@code given}, else {@code TAO_TARGETS}, else {@code tao-targets.yaml} here, else
     * {@code ~/.config/tao-run/targets.yaml}; only the first two must exist.
     */
    public static Targets find(Optional<String> given, Surroundings here) throws UsageException {
        Optional<String> named = given.or(
                () -> Optional.ofNullable(here.env().get("TAO_TARGETS")).filter(text -> !text.isBlank()));
        if (named.isPresent()) {
            return read(here.path(named.get()), here);
        }
        for (String place : List.of("tao-targets.yaml", config(here))) {
            if (Files.isRegularFile(here.path(place))) {
                return read(here.path(place), here);
            }
        }
        return new Targets(
                here,
                Optional.empty(),
                new Value.Keyed("no targets file", Map.of()),
                Accounting.NONE,
                Optional.empty());
    }

    private static String config(Surroundings here) {
        String config = here.env().getOrDefault("XDG_CONFIG_HOME", "");
        return (config.isBlank() ? "~/.config" : config) + "/tao-run/targets.yaml";
    }

    private static Targets read(Path file, Surroundings here) throws UsageException {
        Value.Keyed root = YamlText.read(file, "targets file");
        return new Targets(here, Optional.of(file), content(root), Accounting.of(root, file), mlflow(root, here));
    }

    private static Optional<MlflowSettings> mlflow(Value.Keyed root, Surroundings here) throws UsageException {
        Optional<Value> value = root.get(MLFLOW);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        if (!(value.get() instanceof Value.Keyed section)) {
            throw new UsageException(
                    value.get().where() + ": 'mlflow' must hold keys and values such as {address: …}.");
        }
        return Optional.of(new FileBinder(here).bind(section, MlflowSettings.class, Map.of()));
    }

    /** The targets of the file, beside which its prices and budgets stand. */
    private static Value.Keyed content(Value.Keyed root) throws UsageException {
        return byName(UsageException.of(() -> root.checked(KEYS))
                .get(TARGETS)
                .orElseThrow(() -> new UsageException(root.where() + ": '" + TARGETS + "' is missing.")));
    }

    /** A mapping from names, or a list whose items have the key {@code name}. */
    private static Value.Keyed byName(Value value) throws UsageException {
        if (value instanceof Value.Keyed keyed) {
            return keyed;
        }
        if (!(value instanceof Value.Items items)) {
            throw new UsageException(
                    value.where() + ": 'targets' must hold a name for each target, found " + value.kind() + ".");
        }
        Map<String, Value.Entry> entries = new LinkedHashMap<>();
        for (Value item : items.values()) {
            Value name = item instanceof Value.Keyed keyed ? keyed.get("name").orElse(item) : item;
            if (!(item instanceof Value.Keyed keyed) || !(name instanceof Value.Text text)) {
                throw new UsageException(item.where() + ": each target of a list needs a 'name'.");
            }
            if (entries.put(text.text(), new Value.Entry(text.where(), keyed.without("name"))) != null) {
                throw new UsageException(text.where() + ": there are two targets '" + text.text() + "'; keep one.");
            }
        }
        return new Value.Keyed(items.where(), entries);
    }

    /** All names, in alphabetical order. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>(targets.entries().keySet());
        names.addAll(new EnvironmentTargets(here).names());
        names.add(LOCAL);
        if (backends().contains(SIMULATED)) {
            names.add(SIMULATED);
        }
        return names;
    }

    /** The target called {@code name}; a kind of backend means its only target in the file. */
    public Place namedOrOfKind(String name) throws UsageException {
        List<String> ofKind = targets.entries().entrySet().stream()
                .filter(entry -> entry.getValue().value() instanceof Value.Keyed keyed
                        && keyed.get("backend").orElse(keyed) instanceof Value.Text text
                        && text.text().equals(name))
                .map(Map.Entry::getKey)
                .toList();
        boolean one = ofKind.size() == 1 && !targets.entries().containsKey(name);
        return named(one ? ofKind.get(0) : name);
    }

    /** The target called {@code name}, ready for use. */
    public Place named(String name) throws UsageException {
        Value.Entry entry = targets.entries().get(name);
        if (entry != null) {
            return Place.of(bound(name, entry));
        }
        if (name.equals(LOCAL)) {
            return Place.of(here(LOCAL, "/tao-run"));
        }
        if (name.equals(SIMULATED) && backends().contains(name)) {
            return Place.of(here(SIMULATED, "/tao-run/simulated"));
        }
        boolean known =
                !name.equals(EnvironmentTargets.KUBERNETES) || backends().contains(name);
        if (EnvironmentTargets.isOne(name) && known) {
            return new EnvironmentTargets(here).place(name, type(name, "target " + name));
        }
        Optional<Place> bare = ofTypeAlone(name);
        if (bare.isPresent()) {
            return bare.get();
        }
        String where = file.map(path -> " in " + path)
                .orElse(
                        "; there is no targets file: give --targets FILE, or write one as docs/guides/terminal.md describes");
        throw new UsageException("There is no target '" + name + "'" + where + ". " + advice(name, names(), "targets"));
    }

    /** A kind of backend that needs nothing but a name is a target by its own. */
    private Optional<Place> ofTypeAlone(String name) throws UsageException {
        FileBinder binder = new FileBinder(here);
        for (BackendType type : here.types().all()) {
            if (type.name().equals(name) && binder.keys(type.targetType()).equals(List.of("name"))) {
                Value.Keyed nothing = new Value.Keyed("target " + name, Map.of());
                return Optional.of(Place.of(binder.bind(nothing, type.targetType(), Map.of("name", name))));
            }
        }
        return Optional.empty();
    }

    /** A target of this machine that is always there; jobs lie where a user's data belongs. */
    private Target here(String name, String folder) throws UsageException {
        String where = "target " + name;
        BackendType type = type(name, where);
        String data = here.env().getOrDefault("XDG_DATA_HOME", "");
        String directory = here.path((data.isBlank() ? "~/.local/share" : data) + folder)
                .toAbsolutePath()
                .toString();
        FileBinder binder = new FileBinder(here);
        Value.Entry entry = new Value.Entry(where, new Value.Text(where, directory, true));
        boolean keepsFiles = binder.keys(type.targetType()).contains(DIRECTORY);
        Map<String, Value.Entry> entries = keepsFiles ? Map.of(DIRECTORY, entry) : Map.of();
        return binder.bind(new Value.Keyed(where, entries), type.targetType(), Map.of("name", name));
    }

    private Target bound(String name, Value.Entry entry) throws UsageException {
        if (!(entry.value() instanceof Value.Keyed section)) {
            throw new UsageException(entry.where() + ": the target '" + name + "' needs at least the key 'backend'.");
        }
        Value backend = section.get("backend").orElse(new Value.Nothing(section.where()));
        if (!(backend instanceof Value.Text text)) {
            throw new UsageException(backend.where() + ": the target '" + name + "' needs the key 'backend'. "
                    + "Known backends: " + String.join(", ", backends()) + ".");
        }
        BackendType type = type(text.text(), text.where());
        Preloading.start(type.name(), type::preload);
        return new FileBinder(here).bind(section.without("backend"), type.targetType(), given(name, section, type));
    }

    /** The name, and for a target that has one and says nothing of it the proxy of this environment. */
    private Map<String, Object> given(String name, Value.Keyed section, BackendType type) {
        Map<String, Object> given = new LinkedHashMap<>(Map.of("name", name));
        boolean open = new FileBinder(here).keys(type.targetType()).contains(PROXY)
                && section.get(PROXY).isEmpty();
        if (open) {
            given.put(PROXY, HttpProxy.ofEnvironment(here.env()));
        }
        return given;
    }

    private BackendType type(String backend, String where) throws UsageException {
        List<String> known = backends();
        if (!known.contains(backend)) {
            throw new UsageException(
                    where + ": there is no backend '" + backend + "'. " + advice(backend, known, "backends"));
        }
        return here.types().named(backend);
    }

    private static String advice(String wrong, Collection<String> known, String kind) {
        return wrong.equals(COLAB)
                ? "No program can start a notebook on Colab: write one with './tao notebook colab JOB_FILE'."
                : Suggestions.advice(wrong, known, kind);
    }

    private List<String> backends() {
        return here.types().all().stream().map(BackendType::name).toList();
    }
}
