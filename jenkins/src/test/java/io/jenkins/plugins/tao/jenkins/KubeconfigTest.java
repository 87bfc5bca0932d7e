package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import com.cloudbees.hudson.plugins.folder.Folder;
import com.cloudbees.hudson.plugins.folder.properties.FolderCredentialsProvider;
import com.cloudbees.plugins.credentials.CredentialsProvider;
import com.cloudbees.plugins.credentials.CredentialsScope;
import com.cloudbees.plugins.credentials.SecretBytes;
import com.cloudbees.plugins.credentials.SystemCredentialsProvider;
import com.cloudbees.plugins.credentials.domains.Domain;
import com.cloudbees.plugins.credentials.domains.DomainCredentials;
import hudson.model.Result;
import io.jenkins.plugins.tao.jenkins.config.KubernetesTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jenkinsci.plugins.plaincredentials.impl.FileCredentialsImpl;
import org.jenkinsci.plugins.workflow.cps.CpsFlowDefinition;
import org.jenkinsci.plugins.workflow.job.WorkflowJob;
import org.jenkinsci.plugins.workflow.job.WorkflowRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;

/** A kubeconfig may name a program, which runs on the controller: only one of Jenkins itself may be trusted so far. */
@WithJenkins
class KubeconfigTest {
    @TempDir
    private Path directory;

    private Path ofJenkins;
    private Path ofFolder;
    private JenkinsRule jenkins;
    private WorkflowJob job;

    @BeforeEach
    void start(JenkinsRule rule) throws Exception {
        jenkins = rule;
        ofJenkins = directory.resolve("ran-for-jenkins");
        ofFolder = directory.resolve("ran-for-the-folder");
        KubernetesTargetConfiguration cluster = new KubernetesTargetConfiguration("cluster");
        cluster.setKubeconfigCredentialsId("kube");
        cluster.setTrustKubeconfig("true");
        TaoGlobalConfiguration.get().setTargets(List.of(cluster));
        Folder folder = rule.createProject(Folder.class, "vision");
        folder.addProperty(new FolderCredentialsProvider.FolderCredentialsProperty(new DomainCredentials[0]));
        CredentialsProvider.lookupStores(folder).iterator().next().addCredentials(Domain.global(), running(ofFolder));
        job = folder.createProject(WorkflowJob.class, "train");
        job.setDefinition(new CpsFlowDefinition("taoSubmit target: 'cluster', image: 'tao:1', command: 'true'", true));
    }

    private static FileCredentialsImpl running(Path marker) throws Exception {
        String kubeconfig =
                """
                apiVersion: v1
                kind: Config
                current-context: c
                contexts: [{name: c, context: {cluster: k, user: u}}]
                clusters: [{name: k, cluster: {server: 'https://127.0.0.1:1'}}]
                users:
                - name: u
                  user:
                    exec: {apiVersion: client.authentication.k8s.io/v1, command: /usr/bin/touch, args: ['%s'], interactiveMode: Never}
                """
                        .formatted(marker);
        return new FileCredentialsImpl(
                CredentialsScope.GLOBAL,
                "kube",
                "",
                "kubeconfig",
                SecretBytes.fromBytes(kubeconfig.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aTrustedKubeconfigIsNoneOfAFolder() throws Exception {
        WorkflowRun build = jenkins.buildAndAssertStatus(Result.FAILURE, job);

        assertThat(JenkinsRule.getLog(build)).contains("no credential 'kube' of Jenkins itself");
        assertThat(ofFolder).doesNotExist();
    }

    @Test
    void aTrustedKubeconfigIsTheOneOfJenkinsThoughAFolderHasTheSameId() throws Exception {
        SystemCredentialsProvider.getInstance().getCredentials().add(running(ofJenkins));
        SystemCredentialsProvider.getInstance().save();

        WorkflowRun build = job.scheduleBuild2(0).waitForStart();
        Lab.await(ofJenkins);
        build.doStop();
        jenkins.waitForCompletion(build);

        assertThat(ofFolder).doesNotExist();
    }
}
