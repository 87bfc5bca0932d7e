package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.Container.KEY;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.MemoryFile;
import io.jenkins.plugins.tao.backend.StagedFile;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both sides, the runner in the container and the controller, against a real storage that checks signatures: Ceph's. */
@Timeout(600)
class S3StorageIT {
    private static final List<String> ODD = List.of(
            "a b/ü+1%.txt",
            "plus+plus",
            "percent%2Fencoded",
            "per%cent",
            "ümläut/日本語.txt",
            "semi;colon",
            "equals=sign&and",
            "question?mark",
            "hash#tag",
            "quote'single",
            "quote\"double",
            "(brackets)[square]{curly}",
            "at@sign",
            "comma,dot.",
            "tilde~",
            "star*",
            "dollar$HOME",
            "back\\slash",
            "less<more>",
            "colon:colon",
            "emoji-🦜");

    @TempDir
    Path folder;

    private S3Rig rig;
    private String bucket;

    @BeforeEach
    void open() throws Exception {
        rig = S3Rig.orSkip();
        bucket = rig.bucket();
    }

    private Container.Log run(S3Settings storage, JobSpec.Builder spec) throws Exception {
        Payload payload =
                Payload.of(spec.build(), KEY).sharedRoot(folder + "/mnt").storage(storage);
        Container container = Container.of("dash").env("TAO_TRANSFER_PAUSE", "0.02");
        payload.secrets().forEach((name, value) -> container.env(name, value.reveal()));
        return container.run(payload.script(), folder);
    }

    private S3Settings ada() {
        return rig.settings("ADA", bucket);
    }

    private String results() {
        return "s3://" + bucket + "/results/" + KEY;
    }

    @Test
    @Promise("TR-56")
    void oddKeysGoThereAndBack() throws Exception {
        for (String key : ODD) {
            rig.put(bucket, "odd/" + key, key.getBytes(UTF_8));
        }

        Container.Log log = run(
                ada(),
                JobSpec.of("cp -r s3://" + bucket + "/odd {results_dir}/copy")
                        .inputs(List.of("s3://" + bucket + "/odd")));
        Sink sink = new Sink();
        new S3Fetch(ada(), HttpSettings.defaults())
                .copy(S3Address.parse(results()), KEY, ArtifactPlan.of(List.of("copy/**")), sink);

        assertThat(log.output()).contains("upload verified");
        assertThat(S3Rig.names(ada(), "s3://" + bucket + "/odd")).containsExactlyInAnyOrderElementsOf(ODD);
        ODD.forEach(key -> assertThat(sink.files).containsEntry("results/copy/" + key, key));
        assertThat(sink.skipped).isEmpty();
    }

    @Test
    @Promise("TR-56")
    void aListOfSeveralPagesIsReadWholeByBothSides() throws Exception {
        int files = 1_200;
        run(ada(), JobSpec.of("cd {results_dir}; i=0; while [ $i -lt " + files + " ]; do : > f$i; i=$((i+1)); done"));

        Container.Log log = run(
                ada(), JobSpec.of("ls " + folder + "/in | grep -c ^f").inputs(List.of(folder + "/in=" + results())));

        assertThat(S3Rig.names(ada(), results()))
                .filteredOn(name -> name.startsWith("f"))
                .hasSize(files);
        assertThat(log.output()).contains("\n" + files + "\n");
    }

    @Test
    @Promise("TR-56")
    void aFileOfSeveralPartsArrivesWholeAndIsSentOnce() throws Exception {
        JobSpec.Builder job =
                JobSpec.of("cd {results_dir}; [ -e big ] || head -c 83886080 /dev/urandom > big; md5sum big");
        Container.Log log = run(ada(), job);
        Path here = folder.resolve("mnt/results/" + KEY + "/big");
        Sink sink = new Sink();
        sink.to = folder.resolve("home");

        new S3Fetch(ada(), HttpSettings.defaults())
                .copy(S3Address.parse(results()), KEY, ArtifactPlan.of(List.of("big")), sink);

        assertThat(log.output()).contains("upload verified");
        assertThat(Files.mismatch(here, folder.resolve("home/results/big"))).isEqualTo(-1);
        assertThat(run(ada(), job).output()).contains("upload verified");
    }

    @Test
    @Promise("TR-56")
    void temporaryKeysWorkWithTheirTokenAloneOnBothSides() throws Exception {
        S3Settings temporary = rig.session(bucket);

        Container.Log log = run(temporary, JobSpec.of("echo weights > {results_dir}/m.pth"));
        S3Settings.Keys keys = temporary.keys();
        S3Settings without = rig.settings(bucket, keys.access(), keys.secret(), Optional.empty());

        assertThat(log.output()).contains("upload verified");
        assertThat(S3Rig.names(temporary, results())).contains("m.pth");
        assertThatThrownBy(() -> S3Rig.names(without, results())).isInstanceOf(Denied.class);
        assertThat(run(without, JobSpec.of("true")).output()).contains("the results were not uploaded");
    }

    @Test
    @Promise("TR-56")
    void wrongKeysAreCalledWhatTheyAre() throws Exception {
        Secret access = Secret.of(rig.word("ADA_ACCESS"));
        S3Settings wrong = rig.settings(bucket, access, Secret.of("no"), Optional.empty());
        S3Settings unknown = rig.settings(bucket, Secret.of("NONE"), Secret.of("no"), Optional.empty());
        S3Settings bob = rig.settings("BOB", bucket);

        assertThatThrownBy(() -> S3Rig.names(wrong, results()))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("does not belong to the access key");
        assertThatThrownBy(() -> S3Rig.names(unknown, results()))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("does not know the access key");
        assertThatThrownBy(() -> S3Rig.names(bob, results()))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("may not list bucket");
        assertThatThrownBy(() -> S3Rig.names(rig.settings("ADA", "no-such-bucket"), "s3://no-such-bucket/x"))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("There is no bucket");
        assertThat(run(wrong, JobSpec.of("true")).output())
                .contains("the secret key does not belong to the access key");
        assertThat(run(unknown, JobSpec.of("true")).output()).contains("the access key is not known there");
        assertThat(run(bob, JobSpec.of("true")).output()).contains("these keys may not do that");
    }

    private static final class Sink implements ArtifactSink {
        final Map<String, String> files = new TreeMap<>();
        final Map<String, String> skipped = new TreeMap<>();
        Path to = Path.of("");

        @Override
        public ArtifactFile open(String path) throws IOException {
            return to.toString().isEmpty()
                    ? new MemoryFile(kept -> files.put(path, kept.toString(UTF_8)))
                    : StagedFile.open(
                            new StagedFile.Areas(to.resolve(".incoming"), to),
                            path,
                            UnaryOperator.identity(),
                            kept -> {});
        }

        @Override
        public void skipped(String path, String reason) {
            skipped.put(path, reason);
        }
    }
}
