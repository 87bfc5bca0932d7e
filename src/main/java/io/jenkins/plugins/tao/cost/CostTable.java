package io.jenkins.plugins.tao.cost;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.gate.Table;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * GPU-hours, queue waits and money of runs in groups, as text, CSV, JSON and Markdown; pure. What is not known is an empty cell.
 *
 * @param groups the groups, in the order of their keys
 * @param total all runs together
 */
public record CostTable(List<Dimension> by, List<Group> groups, Usage total) implements Table.Forms {
    private static final Comparator<Optional<String>> UNKNOWN_LAST =
            Comparator.comparing((Optional<String> key) -> key.isEmpty()).thenComparing(key -> key.orElse(""));

    public CostTable {
        by = List.copyOf(by);
        groups = List.copyOf(groups);
    }

    /**
     * One group.
     *
     * @param keys its values, in the order of the dimensions; empty where the records do not have them
     */
    public record Group(List<Optional<String>> keys, Usage usage) {
        public Group {
            keys = List.copyOf(keys);
        }
    }

    /** Groups {@code runs}; without any dimension there is one group. */
    public static CostTable of(List<RunRecord> runs, List<Dimension> by, PriceTable prices) {
        List<RunRecord> sent = runs.stream()
                .filter(run -> !run.outcome().equals(Usage.NOT_SENT))
                .toList();
        Map<List<Optional<String>>, List<RunRecord>> byKeys = new LinkedHashMap<>();
        sent.forEach(run -> byKeys.computeIfAbsent(
                        by.stream().map(dimension -> dimension.of(run)).toList(), keys -> new ArrayList<>())
                .add(run));
        List<Group> groups = byKeys.entrySet().stream()
                .map(group -> new Group(group.getKey(), Usage.of(group.getValue(), prices)))
                .sorted(CostTable::order)
                .toList();
        return new CostTable(by, groups, Usage.of(sent, prices));
    }

    private static int order(Group one, Group other) {
        for (int i = 0; i < one.keys().size(); i++) {
            int order = UNKNOWN_LAST.compare(one.keys().get(i), other.keys().get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** Columns for a terminal, and a sentence on what is not in the sums. */
    public String text() {
        return Table.text(heads(), rows("?")) + "\n" + sentence() + "\n";
    }

    @Override
    public String markdown() {
        return Table.Forms.super.markdown() + "\n" + sentence() + "\n";
    }

    /** All in one sentence, what is not known too. */
    public String sentence() {
        String sum = total.ended() + (total.ended() == 1 ? " run" : " runs") + " ended, "
                + (total.gpuHoursPartly() > 0 ? "at least " : "")
                + (total.gpuHours().isPresent() ? hours(total.gpuHours()) + " GPU-hours" : "GPU-hours are not known")
                + (total.money().isEmpty() ? "" : ", " + money(total));
        List<String> apart = new ArrayList<>();
        count(apart, total.gpuHoursUnknown() - total.gpuHoursPartly(), "without known GPU-hours");
        count(apart, total.gpuHoursPartly(), "without the GPU-hours of some members");
        count(apart, total.waitsUnknown(), "without known queue wait");
        count(apart, total.withoutPrice(), "without a price");
        count(apart, total.going(), "not ended yet");
        return sum + "." + (apart.isEmpty() ? "" : " Not in the sums: " + String.join(", ", apart) + ".");
    }

    private static void count(List<String> into, int count, String what) {
        if (count > 0) {
            into.add(count + " " + what);
        }
    }

    @Override
    public String json() {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        for (Group group : groups) {
            ObjectNode node = list.addObject();
            for (int i = 0; i < by.size(); i++) {
                String key = by.get(i).key();
                group.keys().get(i).ifPresent(value -> node.put(key, value));
            }
            Usage usage = group.usage();
            node.put("runs", usage.ended()).put("notEnded", usage.going());
            usage.gpuHours().ifPresent(hours -> node.put("gpuHours", hours));
            node.put("gpuHoursUnknown", usage.gpuHoursUnknown());
            usage.waitHalf().ifPresent(wait -> node.put("queueSecondsP50", wait));
            usage.waitMost().ifPresent(wait -> node.put("queueSecondsP90", wait));
            node.put("queueUnknown", usage.waitsUnknown());
            ObjectNode cost = node.putObject("cost");
            new TreeMap<>(usage.money()).forEach(cost::put);
            node.put("withoutPrice", usage.withoutPrice());
        }
        return list.toPrettyString() + "\n";
    }

    @Override
    public List<String> heads() {
        List<String> heads = by.stream().map(Dimension::key).collect(Collectors.toCollection(ArrayList::new));
        heads.addAll(List.of(
                "runs",
                "not ended",
                "GPU hours",
                "GPU hours unknown",
                "queue p50 s",
                "queue p90 s",
                "queue unknown",
                "cost",
                "without price"));
        return heads;
    }

    @Override
    public List<List<String>> rows() {
        return rows("");
    }

    private List<List<String>> rows(String unknown) {
        return groups.stream().map(group -> row(group, unknown)).toList();
    }

    private static List<String> row(Group group, String unknown) {
        List<String> row =
                group.keys().stream().map(key -> key.orElse(unknown)).collect(Collectors.toCollection(ArrayList::new));
        Usage usage = group.usage();
        row.addAll(List.of(
                String.valueOf(usage.ended()),
                String.valueOf(usage.going()),
                hours(usage.gpuHours()),
                String.valueOf(usage.gpuHoursUnknown()),
                seconds(usage.waitHalf()),
                seconds(usage.waitMost()),
                String.valueOf(usage.waitsUnknown()),
                money(usage),
                String.valueOf(usage.withoutPrice())));
        return row;
    }

    private static String money(Usage usage) {
        return new TreeMap<>(usage.money())
                .entrySet().stream()
                        .map(sum -> String.format(Locale.ROOT, "%.2f %s", sum.getValue(), sum.getKey()))
                        .collect(Collectors.joining(" + "));
    }

    private static String hours(OptionalDouble hours) {
        return hours.isPresent() ? String.format(Locale.ROOT, "%.2f", hours.getAsDouble()) : "";
    }

    private static String seconds(OptionalDouble seconds) {
        return seconds.isPresent() ? String.format(Locale.ROOT, "%.0f", seconds.getAsDouble()) : "";
    }
}
