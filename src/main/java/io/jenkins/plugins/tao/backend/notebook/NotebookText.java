package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.text.OwnFile;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a notebook. Pure.
 *
 * @see <a href="https://nbformat.readthedocs.io/en/latest/format_description.html">The notebook file format, 4.5</a>
 */
final class NotebookText {
    private static final int FORMAT = 4;
    private static final int MINOR = 5;
    private static final Pattern SETTINGS =
            Pattern.compile("json\\.loads\\(r'''\\s*(\\{.*?})\\s*'''\\)", Pattern.DOTALL);
    private static final String QUOTE = "'";

    private NotebookText() {}

    /** A commit for Kaggle: no cell of it can fail. */
    static String kaggle(NotebookRun run) {
        ArrayNode cells = Json.list();
        cells.add(markdown("about", """
                # {job_id}, attempt {attempt}

                Made by tao-run; started as *Save & Run All*. Kaggle keeps `/kaggle/working`, and nothing else. The first cell\
                 restores the results of an earlier session, so a run that ended early resumes when it is started again.
                """.replace("{job_id}", run.key().value())
                .replace("{attempt}", Integer.toString(run.attempt()))));
        cells.add(code("prepare", begin(run, resource("run.py"), "TaoRun")));
        steps(cells);
        return notebook(cells, Json.object());
    }

    /** A notebook for a person on Colab. */
    static String colab(NotebookRun run) {
        ArrayNode cells = Json.list();
        cells.add(markdown(
                "about", resource("colab.md").replace("{job_id}", run.key().value())));
        String tools = resource("run.py") + "\n\n" + resource("drive.py");
        cells.add(code("prepare", begin(run, tools, "DriveRun")));
        steps(cells);
        ObjectNode accelerator = Json.object().put("accelerator", "GPU");
        return notebook(cells, accelerator);
    }

    private static void steps(ArrayNode cells) {
        cells.add(code("code", "TAO.step(\"code\", TAO.fetch_code)"));
        cells.add(code("run", "TAO.step(\"run\", TAO.run)"));
        cells.add(code("close", "TAO.close()"));
    }

    /** An apostrophe would end the raw string that holds the object; JSON has another way to write it. */
    private static String begin(NotebookRun run, String tools, String type) {
        String settings = Json.pretty(run.settings()).replace(QUOTE, "\\u0027");
        return "import json\n\nJOB = json.loads(r'''\n" + settings + "\n''')\n\n" + tools.strip() + "\n\n\nTAO = "
                + type + "(JOB)\nTAO.step(\"prepare\", TAO.prepare)";
    }

    private static ObjectNode markdown(String id, String text) {
        ObjectNode cell = Json.object();
        cell.put("cell_type", "markdown").put("id", id).putObject("metadata");
        return cell.put("source", text.strip());
    }

    private static ObjectNode code(String id, String text) {
        ObjectNode cell = Json.object();
        cell.put("cell_type", "code").put("id", id).putNull("execution_count").putObject("metadata");
        cell.putArray("outputs");
        return cell.put("source", text);
    }

    private static String notebook(ArrayNode cells, ObjectNode metadata) {
        ObjectNode notebook = Json.object();
        notebook.set("cells", cells);
        metadata.putObject("kernelspec")
                .put("display_name", "Python 3")
                .put("language", "python")
                .put("name", "python3");
        metadata.putObject("language_info").put("name", "python");
        notebook.set("metadata", metadata);
        return Json.pretty(notebook.put("nbformat", FORMAT).put("nbformat_minor", MINOR)) + "\n";
    }

    /** The object that the first cell of one of our notebooks holds. */
    static Optional<ObjectNode> settings(JsonNode cells) {
        for (JsonNode cell : cells) {
            Matcher found = SETTINGS.matcher(source(cell.path("source")));
            if (cell.path("cell_type").asText().equals("code") && found.find()) {
                return Json.parse(found.group(1))
                        .filter(ObjectNode.class::isInstance)
                        .map(ObjectNode.class::cast);
            }
        }
        return Optional.empty();
    }

    /** One text, or a list of lines: both are notebooks. */
    private static String source(JsonNode source) {
        StringBuilder text = new StringBuilder(source.asText());
        source.forEach(line -> text.append(line.asText()));
        return text.toString();
    }

    private static String resource(String name) {
        return OwnFile.text(NotebookText.class, name);
    }
}
