package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.cost.Budgets;
import io.jenkins.plugins.tao.cost.PriceTable;
import io.jenkins.plugins.tao.file.AccountsFile;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.placing.Limit;
import io.jenkins.plugins.tao.placing.Limits;
import java.nio.file.Path;
import java.util.List;

/** The prices, budgets and limits of a targets file. */
public record Accounting(PriceTable prices, Budgets budgets, List<Limit> limits) {
    /** No targets file. */
    static final Accounting NONE =
            new Accounting(PriceTable.NONE, new Budgets(List.of(), PriceTable.NONE, ""), List.of());

    /** Those of a whole file, of which other keys are let alone. */
    static Accounting of(Value.Keyed root, Path file) throws UsageException {
        AccountsFile read = UsageException.of(() -> AccountsFile.of(root));
        if (read.limits().stream().anyMatch(limit -> limit.folder().isPresent())) {
            String where = root.without("targets").without("budgets").placeOf("folder");
            throw new UsageException(
                    where + ": 'folder' of a limit is for Jenkins; jobs of a command line lie in no folder.");
        }
        Budgets budgets = new Budgets(read.budgets(), read.prices(), "'budgets' in " + file);
        return new Accounting(read.prices(), budgets, read.limits());
    }

    /** What jobs may have at a time on the target called {@code name}. */
    public Limits limits(String name) {
        return Limits.of(name, limits);
    }
}
