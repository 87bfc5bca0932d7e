package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The addresses of Git repositories that a job fetches its code from. */
class GitAddressTest {
    private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

    private static GitCode code(String url) {
        return new GitCode(url, COMMIT, Optional.empty());
    }

    @Test
    void bothFormsOfSshAreAskedBySsh() {
        assertThat(code("git@git.example:team/train.git").overSsh()).isTrue();
        assertThat(code("ssh://git@git.example/team/train.git").overSsh()).isTrue();
        assertThat(code("https://git.example/team/train.git").overSsh()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://anna:s3cret@git.example/train.git", "ssh://anna:s3cret@git.example/train.git"})
    void aPasswordInTheAddressIsRefusedAndNotRepeated(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> code(url))
                .withMessageContaining("give a credential instead")
                .withMessageNotContaining("s3cret");
    }

    @Test
    void aBranchIsNoCommitAndAFolderNoAddress() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GitCode("https://git.example/train.git", "main", Optional.empty()))
                .withMessageContaining("is not a commit");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> code("../train"))
                .withMessageContaining("is not an address");
    }
}
