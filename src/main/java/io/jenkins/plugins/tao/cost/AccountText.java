package io.jenkins.plugins.tao.cost;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.text.Suggestions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Prices and budgets as a form has them: a list of keys and values, the same as in a targets file. Each failure names the entry. */
public final class AccountText {
    private static final Set<String> PRICE = Set.of("target", "gpuType", "perGpuHour", "currency");
    private static final Set<String> BUDGET =
            Set.of("target", "folder", "user", "gpuHours", "money", "currency", "warnAt", "above");

    private AccountText() {}

    /**
     * Reads prices.
     *
     * @throws IllegalArgumentException if one is wrong
     */
    public static PriceTable prices(List<Map<String, String>> entries) {
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            Map<String, String> entry = entries.get(i);
            Suggestions.check("price " + (i + 1), entry.keySet(), PRICE);
            OptionalDouble perGpuHour = number(entry, "perGpuHour");
            require(perGpuHour.isPresent(), "price %d needs perGpuHour", i + 1);
            prices.add(new Price(
                    text(entry, "target"),
                    text(entry, "gpuType"),
                    perGpuHour.orElse(0),
                    text(entry, "currency").orElse("")));
        }
        return new PriceTable(prices);
    }

    /**
     * Reads budgets.
     *
     * @throws IllegalArgumentException if one is wrong
     */
    public static List<Budget> budgets(List<Map<String, String>> entries) {
        List<Budget> budgets = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            Suggestions.check("budget " + (i + 1), entries.get(i).keySet(), BUDGET);
            budgets.add(budget(entries.get(i), i + 1));
        }
        return budgets;
    }

    private static Budget budget(Map<String, String> entry, int number) {
        try {
            return new Budget(
                    text(entry, "target"),
                    text(entry, "folder"),
                    text(entry, "user"),
                    number(entry, "gpuHours"),
                    number(entry, "money"),
                    text(entry, "currency"),
                    number(entry, "warnAt").orElse(Budget.WARN_AT),
                    above(text(entry, "above").orElse("refuse")));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("budget " + number + ": " + e.getMessage(), e);
        }
    }

    private static Budget.Above above(String word) {
        require(word.matches("(?i)refuse|warn"), "above is refuse or warn, was '%s'", word);
        return Budget.Above.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private static Optional<String> text(Map<String, String> entry, String key) {
        return Optional.ofNullable(entry.get(key)).filter(text -> !text.isBlank());
    }

    private static OptionalDouble number(Map<String, String> entry, String key) {
        Optional<String> text = text(entry, key);
        if (text.isEmpty()) {
            return OptionalDouble.empty();
        }
        try {
            return OptionalDouble.of(Double.parseDouble(text.get().strip()));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + key + "' must be a number, was '" + text.get() + "'", e);
        }
    }
}
