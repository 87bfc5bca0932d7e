package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.NeedsJenkins;
import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several targets, chains and the targets of a folder in real Pipelines. */
@NeedsJenkins
class PlacesIT {
    @TempDir
    private static Path home;

    private static JenkinsProcess process;
    private static JenkinsClient jenkins;

    @BeforeAll
    static void start() throws IOException {
        process = JenkinsProcess.in(home);
        jenkins = process.start();
        jenkins.targets("new io.jenkins.plugins.tao.jenkins.config.LocalTargetConfiguration('local', '"
                + home.resolve("local") + "'), " + simulated("sim"));
    }

    @AfterAll
    static void stop() {
        process.close();
    }

    private static String simulated(String name) {
        return "new io.jenkins.plugins.tao.jenkins.config.SimulatedTargetConfiguration('" + name + "', '"
                + home.resolve(name) + "').with { speed = '10'; it }";
    }

    @Test
    @Promise("NS-13")
    void aTargetThatCannotRunTheJobIsPassedOver() throws IOException {
        Build build = jenkins.start(
                "places",
                "def r = taoRun(targets: ['local', 'sim'], command: 'dino train', gpus: 64)\necho \"went to ${r.target}\"");

        build.ends("SUCCESS");
        assertThat(build.log()).contains("local does not run the job", "went to sim");
    }

    @Test
    @Promise("NS-11")
    void aJobIsSentWhenTheOneBeforeItHasSucceededAndNeverAfterAFailure() throws IOException {
        Path go = home.resolve("go-on");
        Build build = jenkins.start("chain", """
                def first = taoSubmit(target: 'local', command: 'while [ ! -e %s ]; do sleep 1; done')
                def second = taoRun(target: 'local', command: 'true', after: first)
                def failed = taoSubmit(target: 'local', command: 'exit 3')
                try {
                    taoRun(target: 'local', command: 'echo never', after: failed)
                } catch (e) {
                    echo "second ${second.status}, third: ${e.message}"
                }
                """.formatted(go));
        build.says("to succeed");
        Files.createFile(go);

        build.ends("SUCCESS");
        assertThat(build.log()).contains("second SUCCESS, third: ");
    }

    @Test
    @NeedsJenkins(plugins = "cloudbees-folder")
    @Promise("JK-10")
    void aTargetOfAFolderIsTheDefaultOfItsJobsAndUnknownElsewhere() throws IOException {
        String log = jenkins.groovy("""
                import org.jenkinsci.plugins.workflow.cps.CpsFlowDefinition
                import org.jenkinsci.plugins.workflow.job.WorkflowJob
                def folder = jenkins.model.Jenkins.get().createProject(com.cloudbees.hudson.plugins.folder.Folder, 'team')
                def property = new io.jenkins.plugins.tao.jenkins.folder.TaoFolderProperty()
                property.targets = [%s]
                property.target = 'mine'
                folder.addProperty(property)
                def inside = folder.createProject(WorkflowJob, 'inside')
                inside.definition = new CpsFlowDefinition("def r = taoRun(command: 'dino train', options: simulated(epochs: 1)); echo 'ran on ' + r.target", true)
                println inside.scheduleBuild2(0).get().log
                """.formatted(simulated("mine")));
        assertThat(log).contains("ran on mine");

        Build outside = jenkins.start("outside", "taoRun(target: 'mine', command: 'dino train')");
        outside.ends("FAILURE");
        assertThat(outside.log()).contains("There is no TAO target 'mine'");
    }
}
