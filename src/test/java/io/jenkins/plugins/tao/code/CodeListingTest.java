package io.jenkins.plugins.tao.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodeListingTest {
    @ParameterizedTest
    @ValueSource(strings = {"../x", "/etc/passwd", "a/../../b", "a//b", "./a", "", "a/"})
    @Promise("NS-02")
    void aNameThatLeadsOutOfTheDirectoryIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> listing(name))
                .withMessageContaining("'" + name + "', which does not lie in its directory");
    }

    @Test
    void otherNamesWithDotsAreFine() {
        assertThat(listing("a/..b/c...py").count()).isOne();
    }

    private static CodeListing listing(String link) {
        return new CodeListing(new TreeMap<>(), new TreeMap<>(Map.of(link, "target")), "", "", "");
    }
}
