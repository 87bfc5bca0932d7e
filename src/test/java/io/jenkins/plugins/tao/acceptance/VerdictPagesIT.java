package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.NeedsJenkins;
import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Jenkins itself shows of verdicts, blessings and failures. */
@NeedsJenkins
class VerdictPagesIT {
    private static final String RUN =
            "taoRun target: 'sim', command: 'dino train', retries: 0, options: simulated(epochs: 1";

    @TempDir
    private static Path home;

    private static JenkinsProcess process;
    private static JenkinsClient jenkins;

    @BeforeAll
    static void start() throws IOException {
        process = JenkinsProcess.in(home);
        jenkins = process.start();
        jenkins.targets("new io.jenkins.plugins.tao.jenkins.config.SimulatedTargetConfiguration('sim', '"
                + home.resolve("sim") + "').with { speed = '10'; avoidFailedNodesFor = '12h'; it }");
    }

    @AfterAll
    static void stop() {
        process.close();
    }

    @Test
    @Promise("NV-22")
    void jenkinsOwnParserTakesTheReportAndShowsGatesAndJobsAsTests() throws IOException {
        Build build = jenkins.start(
                "gated",
                RUN + "); taoGate(kpi: 'val_mAP', atLeast: '0.1');"
                        + " taoGate(kpi: 'val_mAP', atLeast: '99', effect: 'unstable')");

        build.ends("UNSTABLE");
        String tests = jenkins.get("job/gated/1/testReport/api/json");
        assertThat(tests)
                .contains("\"failCount\":1", "\"passCount\":2", "\"className\":\"tao.gated.gates\"")
                .contains("\"className\":\"tao.gated.jobs\"", "val_mAP at least 99");
    }

    @Test
    @Promise("NV-18")
    void theFormOfTheBuildBlessesItsRun() throws IOException {
        Build build = jenkins.start("blessed", RUN + ")");
        build.ends("SUCCESS");
        assertThat(jenkins.get("job/blessed/1/tao-bless/")).contains("Bless this build", "action=\"bless\"");

        jenkins.post("job/blessed/1/tao-bless/bless", "application/x-www-form-urlencoded", "why=new+data&name=v1&id=");

        assertThat(jenkins.get("job/blessed/1/tao-bless/")).contains("v1: #1", ": new data");
        assertThat(Files.readString(home.resolve("jobs/blessed/tao/baselines.jsonl")))
                .contains("\"name\":\"v1\"");
    }

    @Test
    @Promise("NV-18")
    void thePageIsRefusedAsThePostIsWithoutThePermissionToUpdateBuilds() throws IOException {
        jenkins.start("unblessed", RUN + ")").ends("SUCCESS");
        jenkins.groovy(
                "jenkins.model.Jenkins.get().with { securityRealm = new hudson.security.HudsonPrivateSecurityRealm(false)\n"
                        + "authorizationStrategy = new hudson.security.AuthorizationStrategy() { def acl = hudson.security.ACL.lambda2({"
                        + " who, what -> what != hudson.model.Run.UPDATE } as java.util.function.BiFunction)\n"
                        + "hudson.security.ACL getRootACL() { acl }\nCollection<String> getGroups() { [] } } }");
        try {
            assertThat(jenkins.reply("job/unblessed/1/tao-bless/").statusCode()).isEqualTo(403);
            assertThat(jenkins.get("job/unblessed/1/")).doesNotContain("tao-bless");
        } finally {
            jenkins.groovy("jenkins.model.Jenkins.get().with {"
                    + " authorizationStrategy = hudson.security.AuthorizationStrategy.UNSECURED\n"
                    + "securityRealm = hudson.security.SecurityRealm.NO_AUTHENTICATION }");
        }
    }

    @Test
    @Promise({"NV-32", "NV-30"})
    void theFailureCardSaysTheSameOnPageArtifactAndLogAndTheNodeIsOnTheList() throws IOException {
        Build build = jenkins.start("lost", RUN + ", failure: 'node_lost')");
        build.ends("FAILURE");
        String id = build.page().replaceAll("(?s).*\"id\":\"([^\"]*)\".*", "$1");

        List<String> card = jenkins.get("job/lost/1/artifact/tao/" + id + "/failure.md")
                .lines()
                .toList();
        String page = jenkins.get("job/lost/1/tao/job/" + id + "/");
        String whole = jenkins.get("job/lost/1/tao/");
        assertThat(card).isNotEmpty().allSatisfy(line -> assertThat(build.log()).contains(line));
        assertThat(card.stream().filter(line -> line.matches("- \\*\\*(Next step|Cause|Why|Target|Tried)\\*\\*: .*")))
                .isNotEmpty()
                .map(line -> line.replaceFirst("^- [^:]*: ", ""))
                .allSatisfy(part -> {
                    assertThat(page).contains(part);
                    assertThat(whole).contains(part);
                });
        assertThat(page.indexOf("What to do")).isBetween(0, page.indexOf(">Cause<"));

        assertThat(jenkins.get("manage/tao/")).contains("Use again", "NODE_FAILURE");
        String node =
                jenkins.get("manage/tao/").replaceAll("(?s).*<input name=\"node\"[^>]* value=\"([^\"]*)\".*", "$1");
        jenkins.post("manage/tao/allowNode", "application/x-www-form-urlencoded", "target=sim&node=" + node);
        assertThat(jenkins.get("manage/tao/")).contains("No node is avoided.");
    }
}
