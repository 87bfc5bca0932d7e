package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.cli.input.FileBinder;
import io.jenkins.plugins.tao.cli.input.Place;
import io.jenkins.plugins.tao.cli.input.Targets;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.code.CodeFolder;
import io.jenkins.plugins.tao.code.CodeLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Inputs of several jobs of one command: each directory of code, each targets file and each target is read once. */
public final class SharedInputs {
    private final Map<Path, CodeFolder> codes = new HashMap<>();
    private final Map<Path, FileBinder> binders = new HashMap<>();
    /** By a targets file as a job names it, and the directory of the job. A list, for the hash of a record costs a cold JVM 10 ms. */
    private final Map<List<?>, Targets> files = new HashMap<>();

    private final Map<List<?>, Place> places = new HashMap<>();

    CodeFolder code(Path directory) throws IOException {
        CodeFolder known = codes.get(directory);
        if (known == null) {
            known = CodeFolder.read(directory, CodeLimits.defaults());
            codes.put(directory, known);
        }
        return known;
    }

    FileBinder binder(Surroundings here) {
        return binders.computeIfAbsent(here.directory(), directory -> new FileBinder(here));
    }

    Targets targets(Optional<String> file, Surroundings here) throws UsageException {
        List<?> from = List.of(here.directory(), file);
        Targets known = files.get(from);
        if (known == null) {
            known = Targets.find(file, here);
            files.put(from, known);
        }
        return known;
    }

    Place place(Optional<String> file, String target, Surroundings here) throws UsageException {
        List<?> named = List.of(here.directory(), file, target);
        Place known = places.get(named);
        if (known == null) {
            known = targets(file, here).named(target);
            places.put(named, known);
        }
        return known;
    }
}
