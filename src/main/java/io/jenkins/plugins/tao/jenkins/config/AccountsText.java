package io.jenkins.plugins.tao.jenkins.config;

import io.jenkins.plugins.tao.cost.Budget;
import io.jenkins.plugins.tao.cost.PriceTable;
import io.jenkins.plugins.tao.file.AccountsFile;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.file.ValueReader;
import io.jenkins.plugins.tao.placing.Limit;
import java.util.List;
import java.util.Map;

/** The prices, budgets and limits of the global configuration: YAML lists, written as in a targets file. */
final class AccountsText {
    private AccountsText() {}

    static PriceTable prices(String text) {
        return read("prices", text).prices();
    }

    static List<Budget> budgets(String text) {
        return read("budgets", text).budgets();
    }

    static List<Limit> limits(String text) {
        return read("limits", text).limits();
    }

    private static AccountsFile read(String field, String text) {
        Value.Entry entry = new Value.Entry(field, ValueReader.value(field, text));
        return AccountsFile.of(new Value.Keyed(field, Map.of(field, entry)));
    }
}
