package io.jenkins.plugins.tao.gate;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Rows of cells as text, CSV and Markdown; pure. */
public final class Table {
    private Table() {}

    /** The forms of one table. */
    public interface Forms {
        List<String> heads();

        List<List<String>> rows();

        /** A list of objects; what is not known is absent, and keys are only added. */
        String json();

        /** RFC 4180. */
        default String csv() {
            return Table.csv(heads(), rows());
        }

        /** GitHub's Markdown. */
        default String markdown() {
            return Table.markdown(heads(), rows());
        }
    }

    /** Columns of equal width for a terminal. */
    public static String text(List<String> heads, List<List<String>> rows) {
        List<List<String>> all = new ArrayList<>(List.of(heads));
        all.addAll(rows);
        int[] widths = new int[heads.size()];
        all.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        StringBuilder text = new StringBuilder();
        for (List<String> row : all) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** RFC 4180; a cell that a spreadsheet would take for a formula gets an apostrophe before it. */
    public static String csv(List<String> heads, List<List<String>> rows) {
        return line(heads) + rows.stream().map(Table::line).collect(Collectors.joining());
    }

    private static String line(List<String> row) {
        return row.stream().map(Table::cell).collect(Collectors.joining(",")) + "\r\n";
    }

    private static String cell(String text) {
        boolean number = text.matches("-?\\d++(\\.\\d++)?([eE][+-]?\\d++)?");
        boolean formula = !number && !text.isEmpty() && "=+-@\t".indexOf(text.charAt(0)) >= 0;
        String safe = formula ? "'" + text : text;
        return safe.matches("(?s).*[\",\r\n].*") ? "\"" + safe.replace("\"", "\"\"") + "\"" : safe;
    }

    /** A table of GitHub's Markdown. */
    public static String markdown(List<String> heads, List<List<String>> rows) {
        return row(heads) + "|" + "---|".repeat(heads.size()) + "\n"
                + rows.stream().map(Table::row).collect(Collectors.joining());
    }

    private static String row(List<String> cells) {
        return cells.stream()
                        .map(cell -> cell.replace("|", "\\|").replace("\n", " "))
                        .collect(Collectors.joining(" | ", "| ", " |"))
                + "\n";
    }
}
