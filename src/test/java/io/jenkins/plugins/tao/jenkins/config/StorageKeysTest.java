package io.jenkins.plugins.tao.jenkins.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.cloudbees.plugins.credentials.common.IdCredentials;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.payload.S3Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which credentials Jenkins looks up for a target with a storage, and when. */
class StorageKeysTest {
    private final List<String> asked = new ArrayList<>();

    /** Has nothing, and notes what is asked for. */
    private final class Counting implements CredentialStore {
        private final String reach;

        Counting(String reach) {
            this.reach = reach;
        }

        @Override
        public <C extends IdCredentials> Optional<C> find(String id, Class<C> type) {
            asked.add(id);
            return Optional.empty();
        }

        @Override
        public String reach() {
            return reach;
        }
    }

    private static S3Settings storage(String credentialsId, CredentialStore credentials) {
        S3Configuration s3 = new S3Configuration(credentialsId);
        s3.setBucket("team");
        return s3.toSettings(credentials);
    }

    @Test
    @Promise("GE-05")
    void aStorageIsDescribedWithoutItsKeys() {
        S3Settings storage = storage("team-s3", new Counting("folder/job"));

        assertThat(asked).isEmpty();
        assertThat(storage.toString()).doesNotContain("team-s3");
    }

    @Test
    @Promise("GE-05")
    void theKeysAreLookedUpWhenTheyAreReadAndAMissingOneIsNamed() {
        S3Settings storage = storage("team-s3", new Counting("folder/job"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> storage.accessKey().orElseThrow().read())
                .withMessageContaining(
                        "There is no credential 'team-s3' that may be used here. Create it as a 'Username with password' (the access key");
        assertThat(asked).containsOnly("team-s3");
    }

    @Test
    void buildsOfOneJobShareAConnectionAndOthersMayReachOtherKeys() {
        S3Settings storage = storage("team-s3", new Counting("folder/job"));

        assertThat(storage).isEqualTo(storage("team-s3", new Counting("folder/job")));
        assertThat(storage).isNotEqualTo(storage("team-s3", new Counting("other/job")));
        assertThat(storage).isNotEqualTo(storage("own-s3", new Counting("folder/job")));
        assertThat(storage("${S3}", new Counting("folder/job")))
                .isNotEqualTo(storage("${S3}", new Counting("folder/job")));
    }
}
