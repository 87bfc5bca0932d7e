package io.jenkins.plugins.tao.cli.input;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.cost.AccountText;
import io.jenkins.plugins.tao.cost.Budget;
import io.jenkins.plugins.tao.cost.Budgets;
import io.jenkins.plugins.tao.cost.PriceTable;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.placing.Limit;
import io.jenkins.plugins.tao.placing.Limits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The prices, budgets and limits of a targets file. */
public record Accounting(PriceTable prices, Budgets budgets, List<Limit> limits) {
    /** No targets file. */
    static final Accounting NONE =
            new Accounting(PriceTable.NONE, new Budgets(List.of(), PriceTable.NONE, ""), List.of());

    /** Those of a whole file, of which other keys are let alone. */
    static Accounting of(Value.Keyed root, Path file) throws UsageException {
        try {
            PriceTable prices = AccountText.prices(entries(root, "prices"));
            List<Budget> budgets = AccountText.budgets(entries(root, "budgets"));
            return new Accounting(
                    prices, new Budgets(budgets, prices, "'budgets' in " + file), limits(entries(root, "limits")));
        } catch (IllegalArgumentException e) {
            throw new UsageException(file + ": " + e.getMessage() + ".", e);
        }
    }

    /** What jobs may have at a time on the target called {@code name}. */
    public Limits limits(String name) {
        return Limits.of(name, limits);
    }

    private static List<Limit> limits(List<Map<String, String>> entries) {
        List<Limit> limits = Limit.read(entries);
        limits.forEach(limit -> require(
                limit.folder().isEmpty(),
                "'folder' of a limit is for Jenkins; jobs of a command line lie in no folder"));
        return limits;
    }

    private static List<Map<String, String>> entries(Value.Keyed root, String key) throws UsageException {
        List<Map<String, String>> entries = new ArrayList<>();
        Value value = root.get(key).orElse(new Value.Items(root.where(), List.of()));
        if (!(value instanceof Value.Items items)) {
            throw new UsageException(value.where() + ": '" + key + "' must be a list, found " + value.kind() + ".");
        }
        for (Value item : items.values()) {
            if (!(item instanceof Value.Keyed keyed)) {
                throw new UsageException(item.where() + ": each of '" + key
                        + "' must hold keys and values such as {target: dgx, …}, found " + item.kind() + ".");
            }
            entries.add(texts(keyed));
        }
        return entries;
    }

    private static Map<String, String> texts(Value.Keyed keyed) throws UsageException {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Map.Entry<String, Value.Entry> entry : keyed.entries().entrySet()) {
            if (!(entry.getValue().value() instanceof Value.Text text)) {
                throw new UsageException(
                        entry.getValue().where() + ": '" + entry.getKey() + "' must be a single value, found "
                                + entry.getValue().value().kind() + ".");
            }
            texts.put(entry.getKey(), text.text());
        }
        return texts;
    }
}
