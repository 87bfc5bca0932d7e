package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import com.cloudbees.hudson.plugins.folder.Folder;
import com.cloudbees.hudson.plugins.folder.properties.FolderCredentialsProvider;
import com.cloudbees.plugins.credentials.CredentialsProvider;
import com.cloudbees.plugins.credentials.CredentialsScope;
import com.cloudbees.plugins.credentials.CredentialsStore;
import com.cloudbees.plugins.credentials.SystemCredentialsProvider;
import com.cloudbees.plugins.credentials.domains.Domain;
import com.cloudbees.plugins.credentials.domains.DomainCredentials;
import com.cloudbees.plugins.credentials.impl.UsernamePasswordCredentialsImpl;
import hudson.model.Result;
import hudson.util.Secret;
import io.jenkins.plugins.tao.jenkins.config.CredentialStore;
import io.jenkins.plugins.tao.jenkins.config.KubernetesTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.LeptonTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.S3Configuration;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jenkinsci.plugins.plaincredentials.impl.StringCredentialsImpl;
import org.jenkinsci.plugins.workflow.cps.CpsFlowDefinition;
import org.jenkinsci.plugins.workflow.job.WorkflowJob;
import org.jenkinsci.plugins.workflow.job.WorkflowRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;

@WithJenkins
class SecretsTest {
    private static final String PLAIN_PART = "nvapi-Hush_4711";
    private static final String VALUE = PLAIN_PART + "'quoted$HOME";

    @TempDir
    private Path directory;

    @Test
    void aSecretReachesTheJobAndNoFileOfJenkinsOrOfTheTarget(JenkinsRule jenkins) throws Exception {
        Lab lab = Lab.withTarget(jenkins, directory);
        lab.secret("ngc-api-key", VALUE);

        WorkflowRun build = lab.run(
                """
                taoWait taoSubmit(target: 'local', secrets: [NGC_KEY: 'ngc-api-key'],
                    command: 'echo "the key has ${#NGC_KEY} letters, sum $(printf %s "$NGC_KEY" | cksum)"')
                """,
                Result.SUCCESS);

        assertThat(JenkinsRule.getLog(build)).contains("the key has " + VALUE.length() + " letters").doesNotContain(PLAIN_PART);
        assertThat(filesWith(jenkins.jenkins.getRootDir().toPath())).isEmpty();
        assertThat(filesWith(directory)).isEmpty();
    }

    @Test
    void aSecretThatTheJobPrintsIsMaskedInTheBuildsLog(JenkinsRule jenkins) throws Exception {
        Lab lab = Lab.withTarget(jenkins, directory);
        lab.secret("ngc-api-key", VALUE);

        WorkflowRun build = lab.run(
                """
                taoWait taoSubmit(target: 'local', secrets: [NGC_KEY: 'ngc-api-key'], command: 'echo "key=$NGC_KEY."')
                """,
                Result.SUCCESS);

        assertThat(JenkinsRule.getLog(build)).contains("key=****.").doesNotContain(PLAIN_PART);
        assertThat(filesWith(jenkins.jenkins.getRootDir().toPath())).isEmpty();
    }

    @Test
    void aSecretThatAJobHasFromItsTargetIsMaskedInTheBuildsLog(JenkinsRule jenkins) throws Exception {
        SlowTarget.configure(directory, "nowhere");

        WorkflowRun build = Lab.of(jenkins)
                .run(
                        "taoWait taoSubmit(target: 'slow', command: 'echo key=" + SlowTarget.SECRET + ".')",
                        Result.SUCCESS);

        assertThat(JenkinsRule.getLog(build)).contains("key=****.");
    }

    @Test
    void theKeysThatATargetGivesToItsJobsAreItsSecrets(JenkinsRule jenkins) throws Exception {
        SystemCredentialsProvider store = SystemCredentialsProvider.getInstance();
        UsernamePasswordCredentialsImpl shown =
                new UsernamePasswordCredentialsImpl(CredentialsScope.GLOBAL, "s3-shown", "", "access-1", "secret-key-1");
        UsernamePasswordCredentialsImpl hidden =
                new UsernamePasswordCredentialsImpl(CredentialsScope.GLOBAL, "s3-hidden", "", "access-2", "secret-key-2");
        hidden.setUsernameSecret(true);
        store.getCredentials().addAll(List.of(shown, hidden));
        Lab.of(jenkins).secret("ngc", "nvapi-3");
        KubernetesTargetConfiguration cluster = new KubernetesTargetConfiguration("cluster");
        cluster.setS3(new S3Configuration("s3-shown"));
        LeptonTargetConfiguration lepton = new LeptonTargetConfiguration("lepton", "vision", "ngc");
        lepton.setNgcCredentialsId("ngc");
        lepton.setS3(new S3Configuration("s3-hidden"));

        assertThat(secrets(cluster)).containsExactly("secret-key-1");
        assertThat(secrets(lepton)).containsExactly("nvapi-3", "access-2", "secret-key-2");
        assertThat(secrets(new KubernetesTargetConfiguration("bare"))).isEmpty();
    }

    private static List<String> secrets(TargetConfiguration target) {
        return target.secretsOfJobs(CredentialStore.ofJenkins()).stream()
                .map(io.jenkins.plugins.tao.job.Secret::reveal)
                .toList();
    }

    @Test
    void aSecretOfTheFolderIsFoundAndOneOfAnotherFolderIsNot(JenkinsRule jenkins) throws Exception {
        Lab.withTarget(jenkins, directory);
        Folder folder = jenkins.createProject(Folder.class, "vision");
        folder.addProperty(new FolderCredentialsProvider.FolderCredentialsProperty(new DomainCredentials[0]));
        CredentialsStore store = CredentialsProvider.lookupStores(folder).iterator().next();
        store.addCredentials(
                Domain.global(),
                new StringCredentialsImpl(CredentialsScope.GLOBAL, "folder-key", "", Secret.fromString(VALUE)));
        String script = "taoWait taoSubmit(target: 'local', secrets: [KEY: 'folder-key'], command: 'echo ${#KEY}')";
        WorkflowJob inside = folder.createProject(WorkflowJob.class, "inside");
        inside.setDefinition(new CpsFlowDefinition(script, true));
        WorkflowJob outside = jenkins.createProject(WorkflowJob.class, "outside");
        outside.setDefinition(new CpsFlowDefinition(script, true));

        assertThat(JenkinsRule.getLog(jenkins.buildAndAssertSuccess(inside))).contains(VALUE.length() + "\n");
        assertThat(JenkinsRule.getLog(jenkins.buildAndAssertStatus(Result.FAILURE, outside)))
                .contains("no credential 'folder-key'");
    }

    private static List<Path> filesWith(Path root) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile() && holdsTheValue(file)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            /** Jenkins goes on writing: a file of its own making may be gone by now, and holds nothing then. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
        return found;
    }

    private static boolean holdsTheValue(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(PLAIN_PART);
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
