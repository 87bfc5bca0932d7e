package io.jenkins.plugins.tao.jenkins.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.cloudbees.plugins.credentials.CredentialsProvider;
import hudson.util.FormValidation;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kohsuke.stapler.HttpResponses.HttpResponseException;
import org.kohsuke.stapler.StaplerRequest2;

/** The fields of a form are checked as its record reads them, by one method for all forms. */
class FieldCheckTest {
    @TempDir
    private Path home;

    private FakeJenkins jenkins;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home);
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    @ParameterizedTest
    @Promise("JK-11")
    @CsvSource(delimiter = '|', textBlock = """
                    Slurm      | timeout       | soon   | timeout must be a length of time
                    Slurm      | array         | a      | 'a'
                    Slurm      | partition     | a b    | 'a b'
                    Ssh        | grace         | 0s     | grace must be at least one second
                    Ssh        | downloads     | a: b   | is no address
                    Kubernetes | ttl           | 1m     | ttl must be at least 10 minutes
                    Kubernetes | backoffLimit  | -1     | backoffLimit must be at least 0
                    Lepton     | sharedMemory  | much   | sharedMemory must be a whole number
                    Kaggle     | sessions      | 0      | sessions must be 1 to 100
                    Simulated  | noise         | 2      | noise must be from 0 to 1""")
    void aWrongFieldOfAJobIsSaidBesideIt(String form, String field, String text, String wrong) throws Exception {
        assertThat(checked(form + "OptionsConfiguration", field, text))
                .satisfies(answer -> assertThat(answer.kind).isEqualTo(FormValidation.Kind.ERROR))
                .hasMessageContaining(wrong);
    }

    @ParameterizedTest
    @CsvSource({
        "SlurmOptionsConfiguration,timeout,3h",
        "SlurmOptionsConfiguration,array,",
        "SshOptionsConfiguration,grace,5m",
        "KubernetesOptionsConfiguration,parallelism,2",
        "KubernetesOptionsConfiguration,completions,2",
        "KaggleOptionsConfiguration,revision,main",
        "SlurmTargetConfiguration,time,4h",
        "KubernetesTargetConfiguration,namespace,tao",
        "KubernetesTargetConfiguration,server,https://k8s:6443",
        "SecurityContextConfiguration,runAsUser,1000680000",
        "S3Configuration,bucket,results",
        "MlflowConfiguration,experiment,{job}",
        "PodShapeConfiguration,resources,rdma/hca: 1"
    })
    void aFieldThatIsRightAloneIsNoMistake(String form, String field, String text) throws Exception {
        assertThat(checked(form, field, text).kind).isEqualTo(FormValidation.Kind.OK);
    }

    @ParameterizedTest
    @Promise("JK-11")
    @CsvSource(delimiter = '|', textBlock = """
                    SlurmTarget     | time                | soon  | time must be a length of time
                    SshTarget       | maxJobs             | many  | maxJobs must be a whole number
                    LocalTarget     | meanUptime          | long  | meanUptime must be a length of time
                    KaggleTarget    | gpuSession          | long  | gpuSession must be a length of time
                    LeptonTarget    | avoidFailedNodesFor | long  | -
                    SimulatedTarget | speed               | fast  | speed must be a number
                    KubernetesTarget | namespace          | A b   | namespace
                    KubernetesTarget | server             | ftp://a | server
                    KubernetesTarget | tolerations        | a=b=c:d | no value of a taint
                    SecurityContext | runAsUser           | -1    | runAsUser must be from 0
                    SecurityContext | fsGroup             | wheel | fsGroup must be a whole number
                    S3              | bucket              | s3://a | write it without s3://
                    S3              | uploadEvery         | often | uploadEvery must be a length of time
                    Mlflow          | experiment          | {me}  | {me}
                    PodShape        | patch               | a     | patch""")
    void aWrongFieldOfATargetIsSaidBesideIt(String form, String field, String text, String wrong) throws Exception {
        if (wrong.equals("-")) {
            assertThatThrownBy(() -> checked(form + "Configuration", field, text))
                    .isInstanceOf(HttpResponseException.class);
        } else {
            assertThat(checked(form + "Configuration", field, text))
                    .satisfies(answer -> assertThat(answer.kind).isEqualTo(FormValidation.Kind.ERROR))
                    .hasMessageContaining(wrong);
        }
    }

    @ParameterizedTest
    @Promise("JK-11")
    @CsvSource({
        "SlurmTarget, credentialsId, an 'SSH Username with private key'",
        "SshTarget, credentialsId, an 'SSH Username with private key'",
        "ProxyJump, credentialsId, an 'SSH Username with private key'",
        "SlurmRest, tokenCredentialsId, a 'Secret text' or",
        "KubernetesTarget, kubeconfigCredentialsId, a 'Secret file' with a kubeconfig",
        "KubernetesTarget, tokenCredentialsId, a 'Secret text' or",
        "LeptonTarget, credentialsId, a 'Secret text' or",
        "LeptonTarget, ngcCredentialsId, a 'Secret text' or",
        "KaggleTarget, credentialsId, a 'Secret text' or",
        "S3, credentialsId, a 'Username with password' (the access key",
        "Mlflow, credentialsId, a 'Secret text' or"
    })
    void aCredentialThatIsGoneOrOfAnotherKindIsSaidBesideItsField(String form, String field, String kind)
            throws Exception {
        CredentialsProvider.put("", "text", "secret");

        assertThat(descriptor(form + "Configuration").getCheckMethod(field).toStemUrl())
                .endsWith("/checkField/" + field);
        assertThat(checked(form + "Configuration", field, "").kind).isEqualTo(FormValidation.Kind.OK);
        assertThat(checked(form + "Configuration", field, "${KEY}").kind).isEqualTo(FormValidation.Kind.OK);
        assertThat(checked(form + "Configuration", field, "gone"))
                .satisfies(answer -> assertThat(answer.kind).isEqualTo(FormValidation.Kind.ERROR))
                .hasMessageContaining("There is no credential 'gone' that may be used here. Create it as " + kind);
        FormValidation text = checked(form + "Configuration", field, "text");
        if (kind.startsWith("a 'Secret text'")) {
            assertThat(text.kind).isEqualTo(FormValidation.Kind.OK);
        } else {
            assertThat(text).hasMessageContaining("The credential 'text' is a 'Secret text'. Name " + kind);
        }
    }

    @Test
    void aPageAsksForTheChecksOfTextsAlone() {
        SlurmOptionsConfiguration.DescriptorImpl options = new SlurmOptionsConfiguration.DescriptorImpl();
        SlurmTargetConfiguration.DescriptorImpl target = new SlurmTargetConfiguration.DescriptorImpl();

        assertThat(options.getCheckMethod("timeout").toStemUrl())
                .endsWith("SlurmOptionsConfiguration/checkField/timeout");
        assertThat(options.getCheckMethod("timeout").getDependsOn()).isEmpty();
        assertThat(options.getCheckMethod("requeue").toStemUrl()).isNull();
        assertThat(options.getCheckMethod("launcher").toStemUrl()).isNull();
        assertThat(target.getCheckMethod("hosts").toStemUrl()).endsWith("SlurmTargetConfiguration/checkHosts");
        assertThat(target.getCheckMethod("account").toStemUrl()).isNull();
        assertThat(target.getCheckMethod("folders").toStemUrl()).isNull();
        assertThat(new KubernetesTargetConfiguration.DescriptorImpl()
                        .getCheckMethod("context")
                        .toStemUrl())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({"SlurmOptions", "NoOptions", "SshTarget"})
    void aFieldThatAFormDoesNotHaveIsNotFound(String form) throws Exception {
        RecordDescriptor<?> descriptor = descriptor(form + "Configuration");

        assertThatThrownBy(() -> descriptor.doFillItems("nothing")).satisfies(FieldCheckTest::isNotFound);
        assertThatThrownBy(() -> descriptor.doCheckField(request("/nothing"), "1"))
                .satisfies(FieldCheckTest::isNotFound);
        assertThatThrownBy(() -> descriptor.doCheckField(request(""), "1")).satisfies(FieldCheckTest::isNotFound);
    }

    private static void isNotFound(Throwable refusal) {
        assertThat(refusal).isInstanceOf(HttpResponseException.class);
    }

    private static FormValidation checked(String form, String field, String text) throws ReflectiveOperationException {
        return descriptor(form).doCheckField(request("/" + field), text);
    }

    private static RecordDescriptor<?> descriptor(String form) throws ReflectiveOperationException {
        return Class.forName(FieldCheckTest.class.getPackageName() + "." + form + "$DescriptorImpl")
                .asSubclass(RecordDescriptor.class)
                .getDeclaredConstructor()
                .newInstance();
    }

    private static StaplerRequest2 request(String rest) {
        return (StaplerRequest2) Proxy.newProxyInstance(
                FieldCheckTest.class.getClassLoader(),
                new Class<?>[] {StaplerRequest2.class},
                (proxy, method, arguments) -> method.getReturnType() == String.class ? rest : null);
    }
}
