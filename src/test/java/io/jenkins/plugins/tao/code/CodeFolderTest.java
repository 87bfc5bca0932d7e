package io.jenkins.plugins.tao.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.SourceTree.Unfit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files of a directory are code. */
class CodeFolderTest {
    @TempDir
    Path directory;

    private Path root;
    private Checkout checkout;

    @BeforeEach
    void aCheckout() throws IOException {
        root = directory.resolve("repository");
        checkout = new Checkout(root)
                .file("train.py", "print(1)\n")
                .file("lib/net.py", "x = 1\n")
                .file("data/big.bin", "0".repeat(1000))
                .file(".gitignore", "*.log\n");
    }

    private CodeFolder read() throws IOException {
        return CodeFolder.read(root, CodeLimits.defaults());
    }

    @Test
    @Promise("NS-02")
    void theTrackedFilesAreTheCodeAndWhatGitIgnoresOrDoesNotKnowIsNot() throws Exception {
        String commit = checkout.commit();
        checkout.file("run.log", "").file("notes", "");

        CodeFolder code = read();

        assertThat(code.files()).containsOnlyKeys(".gitignore", "data/big.bin", "lib/net.py", "train.py");
        assertThat(code.listing().commit()).isEqualTo(commit);
        assertThat(code.listing().dirty()).isEqualTo("false");
    }

    @Test
    @Promise("NS-02")
    void aTaoignoreLeavesOutTrackedFiles() throws Exception {
        checkout.file(".taoignore", "data/\n").commit();

        assertThat(read().files()).containsOnlyKeys(".gitignore", ".taoignore", "lib/net.py", "train.py");
    }

    @Test
    void aChangeThatIsNotCommittedIsSentAndReported() throws Exception {
        checkout.commit();
        String before = read().version();
        checkout.file("train.py", "print(2)\n");

        assertThat(read().listing().dirty()).isEqualTo("true");
        assertThat(read().version()).isNotEqualTo(before);
    }

    @Test
    void aCheckoutBeforeItsFirstCommitHasNoCommit() throws Exception {
        checkout.git("add", "--all");

        assertThat(read().listing().commit()).isEmpty();
    }

    @Test
    void aTrackedFileThatIsDeletedHereIsNotPartOfTheCode() throws Exception {
        checkout.commit();
        Files.delete(root.resolve("train.py"));

        assertThat(read().files()).doesNotContainKey("train.py");
    }

    @Test
    @Promise("NS-04")
    void theVersionIsThatOfContentModesAndLinksAlone() throws Exception {
        checkout.commit();
        Files.createSymbolicLink(root.resolve("latest.py"), Path.of("train.py"));
        checkout.commit();
        String before = read().version();
        Path copy = directory.resolve("copy");
        for (String name : read().files().keySet()) {
            Files.createDirectories(copy.resolve(name).getParent());
            Files.copy(root.resolve(name), copy.resolve(name));
        }
        Files.createSymbolicLink(copy.resolve("latest.py"), Path.of("train.py"));

        assertThat(CodeFolder.read(copy, CodeLimits.defaults()).version()).isEqualTo(before);
        assertThat(copy.resolve("train.py").toFile().setExecutable(true)).isTrue();
        assertThat(CodeFolder.read(copy, CodeLimits.defaults()).version()).isNotEqualTo(before);
    }

    @Test
    void aScriptIsSentWithPlainLineEndsAndNamed() throws Exception {
        checkout.file("prepare.sh", "#!/bin/sh\r\necho 1\r\n")
                .file("table.csv", "a\r\n")
                .commit();

        CodeFolder code = read();
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        code.write(List.of("prepare.sh", "table.csv"), sent);
        code.write("prepare.sh", 10, sent);

        assertThat(sent).hasToString("#!/bin/sh\necho 1\na\r\necho 1\n");
        assertThat(Objects.requireNonNull(code.files().get("prepare.sh")).size())
                .isEqualTo(17);
        assertThat(code.listing().notes())
                .isEqualTo(
                        "took the line ends of Windows (CR) out of prepare.sh; '*.sh text eol=lf' in .gitattributes keeps them out\n");
    }

    @Test
    void aPointerOfGitLfsIsNamedWithWhatToDo() throws Exception {
        checkout.file("weights.pth", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n")
                .commit();

        assertThat(read().listing().notes())
                .isEqualTo(
                        "WARNING: not the file but a pointer of Git LFS is sent for weights.pth; run 'git lfs pull' before, or name in .taoignore what the job does not need\n");
    }

    @Test
    void aWholeDirectoryHasWhatACheckoutDoesNotTrack() throws Exception {
        checkout.file(".taoignore", "data/\n").commit();
        checkout.file("notes", "");

        assertThat(CodeFolder.whole(root).files()).containsKeys("notes", "data/big.bin", "train.py");
        assertThat(CodeFolder.whole(root).files().keySet()).noneMatch(name -> name.startsWith(".git/"));
    }

    @Test
    void aLinkOutOfTheDirectoryIsRefusedByItsName() throws Exception {
        Files.createSymbolicLink(root.resolve("secrets"), Path.of("../../etc"));
        checkout.commit();

        assertThatThrownBy(this::read)
                .isInstanceOf(Unfit.class)
                .hasMessage("the symbolic link 'secrets' leads to ../../etc, out of the directory");
    }

    @Test
    @Promise("NS-02")
    void tooMuchIsRefusedWithWhatIsLargest() throws Exception {
        checkout.file("data/more.bin", "0".repeat(2 << 20)).commit();

        assertThatThrownBy(() -> CodeFolder.read(root, new CodeLimits(1, 100)))
                .isInstanceOf(Unfit.class)
                .hasMessage(
                        "it has 2 MiB, and the limit is 1 MiB; most are in data/ (2 MiB), train.py (0 MiB), .gitignore (0 MiB)."
                                + " Name what is not code in .taoignore");
        assertThatThrownBy(() -> CodeFolder.read(root, new CodeLimits(100, 4)))
                .hasMessageStartingWith("it has 5 files or more, and the limit is 4; most are in data/ (2 files)");
    }

    /** A data set beside the code of a folder that is no checkout. */
    @Test
    @Promise("NS-02")
    void whatIsIgnoredDoesNotCountForTheLimit() throws Exception {
        Path folder = Files.createDirectories(directory.resolve("folder/a-data"));
        for (int i = 0; i < 20; i++) {
            Files.writeString(folder.resolve("image-" + i), "x");
        }
        Files.writeString(folder.resolveSibling("train.py"), "print(1)\n");
        Files.writeString(folder.resolveSibling(".taoignore"), "a-data/\n");

        CodeFolder code = CodeFolder.read(folder.resolveSibling(""), new CodeLimits(1, 4));

        assertThat(code.files()).containsOnlyKeys(".taoignore", "train.py");
    }

    @Test
    void aNameWithAControlCharacterOrInAnotherEncodingIsRefused() throws Exception {
        checkout.file("a\nb", "").commit();

        assertThatThrownBy(this::read).hasMessage("the name 'a?b' has a control character in it");
    }

    @Test
    void aNameThatTheTargetUsesItselfIsRefused() throws Exception {
        checkout.file(".tao-manifest", "").commit();

        assertThatThrownBy(this::read).hasMessageContaining("'.tao-manifest' is used by the target itself");
    }

    @Test
    void aDirectoryWithoutTrackedFilesIsRefusedAndNotSentEmpty() {
        assertThatThrownBy(this::read).hasMessageContaining("it has no files").hasMessageContaining("git add");
    }

    @Test
    void aCheckoutThatGitCannotReadIsNoDirectoryWithoutGit() throws Exception {
        checkout.commit();
        Files.writeString(root.resolve(".git/HEAD"), "nonsense");

        assertThatThrownBy(this::read).isInstanceOf(Unfit.class).hasMessageStartingWith("git failed: fatal");
    }
}
