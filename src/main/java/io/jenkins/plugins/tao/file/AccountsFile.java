package io.jenkins.plugins.tao.file;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.cost.Budget;
import io.jenkins.plugins.tao.cost.PriceTable;
import io.jenkins.plugins.tao.placing.Limit;
import java.util.List;

/** The prices, budgets and limits of a targets file, or of the fields of a form. See docs/cost.md and docs/targets-and-chains.md. */
public record AccountsFile(PriceTable prices, List<Budget> budgets, List<Limit> limits) {
    private static final FileReader READER = new FileReader();

    public AccountsFile {
        require(
                limits.stream().map(Limit::place).distinct().count() == limits.size(),
                "'limits' has two for one target, or for one folder on it; keep one");
    }

    /**
     * Reads those of a whole file; other keys of it are ignored.
     *
     * @throws FileMistake if one is wrong
     */
    public static AccountsFile of(Value.Keyed root) {
        return READER.bindPart(root, AccountsFile.class);
    }
}
