package io.jenkins.plugins.tao.reference;

import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.notebook.ColabOptions;
import io.jenkins.plugins.tao.file.JobFile;
import io.jenkins.plugins.tao.file.SweepFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Writes docs/reference: {@value #COMMAND}. */
public final class ReferencePages {
    static final String COMMAND = "./mvnw -q test-compile exec:java@reference";
    private static final String HEAD = """
            # TITLE

            Made by the build from the declarations in the code; do not edit it. ABOUT

            A dash in *default* means that nothing is sent, and that the target, or the system behind it, decides. *file* means
            job files, files of targets and `--set`; *Jenkins* means forms, Pipelines and configuration as code.

            """;

    /** The one key that is no component: its presence makes a job file a sweep. */
    private static final Parameter MATRIX = new Parameter(
            "matrix",
            "file",
            "names, each with a list of values or a range",
            ComponentForm.NONE,
            "no sweep without it",
            "0.1.0",
            "the axes: a path of the spec, `env.NAME` or `args.NAME`, each with its values, such as"
                    + " `{train.optim.lr: [1e-3, 1e-4], train.seed: 0..4}`; each combination is a cell");

    private final Path root;
    private final RecordParameters records;
    private final SourceDocs docs;

    ReferencePages(Path root) {
        this.root = root;
        docs = new SourceDocs(root.resolve("src/main/java"));
        records = new RecordParameters(docs);
    }

    /**
     * Writes the pages.
     *
     * @param arguments the project's directory
     */
    public static void main(String[] arguments) throws IOException {
        System.out.println("docs/reference: written " + new ReferencePages(Path.of(arguments[0])).write());
    }

    /** Writes the pages that are stale and deletes those of nothing. Returns the names of both. */
    List<String> write() throws IOException {
        Path folder = Files.createDirectories(root.resolve("docs/reference"));
        Map<String, String> pages = pages();
        List<String> stale = stale(folder, pages);
        for (String name : stale) {
            if (pages.containsKey(name)) {
                Files.writeString(folder.resolve(name), pages.get(name));
            } else {
                Files.delete(folder.resolve(name));
            }
        }
        return stale;
    }

    /** The names of the pages in docs/reference that are not as the code has them. */
    List<String> stale() throws IOException {
        return stale(root.resolve("docs/reference"), pages());
    }

    private static List<String> stale(Path folder, Map<String, String> pages) throws IOException {
        List<String> stale = new ArrayList<>();
        for (Map.Entry<String, String> page : pages.entrySet()) {
            Path file = folder.resolve(page.getKey());
            if (!Files.exists(file) || !Files.readString(file).equals(page.getValue())) {
                stale.add(page.getKey());
            }
        }
        try (Stream<Path> files = Files.list(folder)) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> !pages.containsKey(name))
                    .forEach(stale::add);
        }
        return stale;
    }

    /** The name of each file, and what it holds. */
    Map<String, String> pages() {
        Map<String, String> pages = new TreeMap<>();
        for (BackendType type : ServiceLoader.load(BackendType.class, ReferencePages.class.getClassLoader())) {
            pages.put(
                    type.name() + ".md",
                    head("Parameters of `" + type.name() + "`", docs.about(type.targetType()))
                            + table("A target", type.targetType())
                            + "\n"
                            + table("Options of a job", type.optionsType()));
        }
        pages.put(
                "job-file.md",
                head(
                                "Parameters of a job file",
                                "The same file runs in a terminal, `tao run FILE`, and in Jenkins, `taoRun(file: 'FILE')`.")
                        + table("A job", JobFile.class) + "\n"
                        + table("A sweep", SweepFile.class, List.of(MATRIX)));
        pages.put(
                "colab.md",
                head("Parameters of a notebook for Colab", "`./tao notebook colab JOB_FILE` reads them.")
                        + table("Options of a job", ColabOptions.class));
        pages.put("steps.md", head("Parameters of the Pipeline steps", "") + StepParameters.tables());
        pages.put("README.md", index(pages));
        return pages;
    }

    private String table(String title, Class<?> record) {
        return table(title, record, List.of());
    }

    private String table(String title, Class<?> record, List<Parameter> first) {
        StringBuilder text = new StringBuilder("## " + title + "\n\n");
        List<Parameter> parameters = new ArrayList<>(first);
        parameters.addAll(records.of(record));
        if (parameters.isEmpty()) {
            return text.append("None.\n").toString();
        }
        text.append(Parameter.HEAD);
        parameters.forEach(parameter -> text.append(parameter.row()));
        records.groups(record).forEach((key, group) -> text.append("\n").append(table("Below `" + key + "`", group)));
        records.parts(record).forEach((key, form) -> {
            text.append("\n## Below `" + key + "`\n\n").append(Parameter.HEAD);
            Forms.properties(form)
                    .forEach((name, type) -> text.append(
                            RecordParameters.formOnly(form, name, type).row()));
        });
        return text.toString();
    }

    private static String head(String title, String about) {
        return HEAD.replace("TITLE", title).replace(" ABOUT", about.isEmpty() ? "" : " " + about);
    }

    private static String index(Map<String, String> pages) {
        StringBuilder text = new StringBuilder("""
                # Reference of all parameters

                Made by the build from the declarations in the code; do not edit it.

                """);
        pages.forEach((file, page) -> text.append("- [")
                .append(page.substring(2, page.indexOf('\n')))
                .append("](")
                .append(file)
                .append(")\n"));
        return text.toString();
    }
}
