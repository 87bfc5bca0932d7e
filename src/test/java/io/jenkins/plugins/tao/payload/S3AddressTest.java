package io.jenkins.plugins.tao.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class S3AddressTest {
    @ParameterizedTest
    @CsvSource({
        "s3://data/coco/train, data, coco/train",
        "aws://data/coco, data, coco",
        "s3://data, data, ''",
        "s3://data/, data, ''",
        "s3://my.data-1/a b/é%20+, my.data-1, a b/é%20+",
    })
    void anAddressHasABucketAndAKey(String text, String bucket, String key) {
        assertThat(S3Address.parse(text)).isEqualTo(new S3Address(bucket, key));
    }

    @Test
    @Promise("GE-16")
    void aSlashAtTheEndChangesNothing() {
        assertThat(S3Address.parse("s3://data/coco/")).isEqualTo(S3Address.parse("s3://data/coco"));
        assertThat(S3Address.parse("s3://data/coco//").resolve("a.txt")).hasToString("s3://data/coco/a.txt");
        assertThat(S3Address.parse("s3://data/").resolve("a.txt")).hasToString("s3://data/a.txt");
    }

    @Test
    @Promise("LE-27")
    void aLeptonAddressIsAnErrorThatShowsTheRightForm() {
        assertThat(S3Address.isMeant("lepton://data/coco")).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> S3Address.parse("lepton://data/coco/train"))
                .withMessageContaining("write s3://data/coco/train");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://",
                "s3:///a",
                "s3://a/b",
                "s3://Da ta/b",
                "s3://data/a//b",
                "s3://data/../b",
                "s3://data/a\nb",
                "/a",
                "http://data/b"
            })
    void whatIsNoAddressIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> S3Address.parse(text));
    }

    @Test
    void aDoubleSlashIsExplained() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> S3Address.parse("s3://data/results//job"))
                .withMessageContaining("empty part between two slashes");
    }

    @Test
    void theNameIsTheLastPart() {
        assertThat(S3Address.parse("s3://data/coco/train").name()).isEqualTo("train");
        assertThat(S3Address.parse("s3://data").name()).isEqualTo("data");
    }
}
