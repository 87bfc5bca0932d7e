package io.jenkins.plugins.tao.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules that a site adds. */
class SiteRulesTest {
    private static final String SITE = """
            # of our cluster

            FABRIC /bond_0.*link down/ A bond of rack 7 lost its link. => Tell the network team.
            slurm:PROGRAM /LicenseError: no seat/ The licence server has no free seat.
            """;
    private static final Failed EXIT_1 = new Failed(Cause.PROGRAM, "The command ended with exit code 1.");

    private static Failed explain(String backend, String... lines) {
        return FailureRules.own().after(SITE).explain(EXIT_1, backend, true, List.of(List.of(lines)));
    }

    @Test
    @Promise("NV-33")
    void aRuleOfTheSiteComesBeforeTheOthersAndDecidesWhatIsTriedAgain() {
        Failed failed = explain("box", "CUDA out of memory", "kernel: mlx5_bond_0: link down");

        assertThat(failed.cause()).isEqualTo(Cause.FABRIC);
        assertThat(failed.cause().infrastructure()).isTrue();
        assertThat(failed.words())
                .isEqualTo("The command ended with exit code 1. A bond of rack 7 lost its link. Tell the network team."
                        + " The log says: kernel: mlx5_bond_0: link down");
    }

    @Test
    @Promise("NV-33")
    void aRuleOfOneBackendHoldsForItAlone() {
        assertThat(explain("slurm", "LicenseError: no seat").words()).contains("no free seat");
        assertThat(explain("box", "LicenseError: no seat").words()).doesNotContain("no free seat");
    }

    /** Lines of jobs that went well, and variables that are only listed. */
    @ParameterizedTest
    @Promise("NV-33")
    @CsvSource(delimiter = ';', textBlock = """
            mlx5_bond_0: link up
            bond_1: link down
            MESSAGE=bond_0: link down
            LicenseError handled, seat found
            """)
    void otherLinesShowNothing(String line) {
        assertThat(explain("slurm", line)).isEqualTo(EXIT_1);
    }

    @Test
    @Promise("NV-33")
    void eachRuleIsTriedAgainstAText() {
        assertThat(FailureRules.tried(SITE, "a\nLicenseError: no seat\nb"))
                .singleElement()
                .satisfies(match -> {
                    assertThat(match.line()).isEqualTo("LicenseError: no seat");
                    assertThat(match.rule().cause()).isEqualTo(Cause.PROGRAM);
                });
        assertThat(FailureRules.tried(SITE, "fine")).isEmpty();
    }

    @ParameterizedTest
    @Promise("NV-33")
    @CsvSource(delimiter = ';', quoteCharacter = '~', textBlock = """
            FABRIC bond down; line 2: a rule is written as
            FABRICS /bond/ Down.; line 2: there is no cause 'FABRICS'
            FABRIC /bo(nd/ Down.; line 2: the pattern /bo(nd/ is wrong: Unclosed group
            FABRIC /x*/ Down.; line 2: the pattern /x*/ matches every line
            """)
    void aWrongRuleIsNamedByItsLine(String line, String message) {
        assertThatThrownBy(() -> FailureRules.own().after("# first\n" + line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}
