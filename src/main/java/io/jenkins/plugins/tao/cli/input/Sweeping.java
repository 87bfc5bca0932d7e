package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.bind.SpecPaths;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.file.SweepAxes;
import io.jenkins.plugins.tao.file.SweepFile;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.sweep.Cell;
import io.jenkins.plugins.tao.sweep.Repeats;
import io.jenkins.plugins.tao.sweep.SweepTerms;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The sweep that a job file describes with {@code matrix}.
 *
 * @param terms how it is run
 * @param parts a request for each cell
 * @param groupGates what groups are judged by
 */
public record Sweeping(SweepTerms terms, List<Part> parts, Gates groupGates) {
    static final String CELL = "matrix ";

    public Sweeping {
        parts = List.copyOf(parts);
    }

    /** One cell and the request for its job. */
    public record Part(Cell cell, JobRequest request) {}

    /**
     * The sweep of {@code request}; empty when its file describes a single job, also one that carries the cells.
     *
     * @throws UsageException if the matrix is none, or too large, or a word of the sweep is wrong
     */
    public static Optional<Sweeping> of(JobRequest request) throws UsageException {
        Value.Keyed content = request.content();
        Optional<Value> written = content.get(SweepFile.MATRIX);
        if (written.isEmpty() || isCarried(content)) {
            return Optional.empty();
        }
        return Optional.of(read(request, content, written.get()));
    }

    /** Whether one job carries the cells. */
    private static boolean isCarried(Value.Keyed content) throws UsageException {
        return content.get(SweepFile.MATRIX).isPresent()
                && bound(content).carry().equals(Optional.of(SweepFile.Carry.ARRAY));
    }

    /** The sweep that one job is to carry; empty for any other request. */
    public static Optional<ArraySweep> carried(JobRequest request) throws UsageException {
        Value.Keyed content = request.content();
        Optional<Value> written = content.get(SweepFile.MATRIX);
        return written.isPresent() && !isCell(request) && isCarried(content)
                ? Optional.of(new ArraySweep(read(request, content, written.get()), request))
                : Optional.empty();
    }

    private static Sweeping read(JobRequest request, Value.Keyed content, Value written) throws UsageException {
        SweepFile file = bound(content);
        Gates groupGates = Gates.of(file.groupGates());
        Set<String> sections = JobRequest.known(content);
        return UsageException.of(() -> {
            SweepTerms terms = content.read(file::terms);
            SweepAxes axes = SweepAxes.of(written);
            List<Part> parts = ((Value.Keyed) written)
                    .read(() -> axes.matrix().cells().stream()
                            .map(cell -> new Part(cell, request(request, cell, axes, sections)))
                            .toList());
            content.read(() -> terms.repeats().of(axes.choices().keySet()));
            return new Sweeping(terms, parts, groupGates);
        });
    }

    private static SweepFile bound(Value.Keyed content) throws UsageException {
        return UsageException.of(() -> SweepFile.of(content));
    }

    /** Whether a request is for one cell. */
    public static boolean isCell(JobRequest request) {
        return !cellOf(request).values().isEmpty();
    }

    private static Cell cellOf(JobRequest request) {
        Map<String, String> values = new LinkedHashMap<>();
        request.overrides().stream()
                .filter(override -> override.option().startsWith(CELL))
                .forEach(override -> values.put(override.option().substring(CELL.length()), override.value()));
        return new Cell(values);
    }

    /** The id of the job of {@code cell}: that of its sweep, and its own; in later rounds the number of the round too. */
    public static String key(String sweep, Cell cell, int round) {
        return sweep + "-" + cell.id() + (round > 1 ? "-" + round : "");
    }

    /**
     * The cell that a request is for.
     *
     * @param cell its values
     * @param repeats which cells of its sweep repeat each other
     */
    public record Member(Cell cell, Repeats repeats) {
        /** {@code any} with the cell and the sweep that the job {@code key} belongs to, which is a night unless a build is. */
        public RunOrigin origin(RunOrigin any, String key) {
            int end = key.lastIndexOf("-" + cell.id());
            String sweep = end < 1 ? key : key.substring(0, end);
            return any.with(RunOrigin.CELL, cell.label())
                    .with(RunOrigin.SWEEP, sweep)
                    .with(RunOrigin.GROUP, repeats.name(cell))
                    .with(RunOrigin.BUILD, any.fact(RunOrigin.BUILD).orElse(sweep));
        }
    }

    /** The cell that {@code request} is for; empty when it is for none. */
    public static Optional<Member> member(JobRequest request) throws UsageException {
        return isCell(request)
                ? Optional.of(new Member(
                        cellOf(request), bound(request.content()).terms().repeats()))
                : Optional.empty();
    }

    private static JobRequest request(JobRequest whole, Cell cell, SweepAxes axes, Collection<String> sections) {
        return whole.with(cell.values().entrySet().stream()
                .map(value -> replacement(value.getKey(), value.getValue(), axes, sections))
                .toList());
    }

    private static JobRequest.Replacement replacement(
            String path, String text, SweepAxes axes, Collection<String> sections) {
        String part = SpecPaths.part(path, sections);
        return part.isEmpty()
                ? new JobRequest.Replacement(
                        CELL + path, List.of("spec", path), text, !(axes.value(path, text) instanceof String))
                : new JobRequest.Replacement(
                        CELL + path, List.of(part, path.substring(part.length() + 1)), text, false);
    }
}
