package io.jenkins.plugins.tao.jenkins.config;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;

@Promise("TR-34")
class TargetNamesTest {
    private static final String LOGIN = "login1 ssh-ed25519 AAAA";

    private static LocalTargetConfiguration local(String name) {
        return new LocalTargetConfiguration(name, "/tao");
    }

    private static void refused(String message, TargetConfiguration... targets) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TargetNames.check(List.of(targets)))
                .withMessageContaining(message);
    }

    @Test
    void aNameThatNoJobCanUseIsRefused() {
        refused("The target name 'bad name!' must consist of", local("good"), local("bad name!"));
        refused("The target name ''", local(""));
    }

    @Test
    void aNameThatStandsTwiceIsRefused() {
        refused("Two targets are called 'dgx'", local("dgx"), local("other"), local("dgx"));
    }

    @Test
    void aFieldThatCannotBeReadIsRefusedWithTheTargetsName() {
        LocalTargetConfiguration target = local("here");
        target.setMaxJobs("lots");
        refused("Target 'here': maxJobs must be a whole number, was 'lots'", target);

        SlurmTargetConfiguration slurm = new SlurmTargetConfiguration("dgx", "login1", "key", LOGIN, "/lustre");
        slurm.setLauncher("docker");
        refused("Target 'dgx': launcher must be one of [pyxis, apptainer", slurm);
    }

    @Test
    void aRelativeBaseDirectoryIsRefusedWithTheTargetsName() {
        refused(
                "Target 'dgx': baseDirectory must be an absolute path, was 'lustre/tao'",
                new SlurmTargetConfiguration("dgx", "login1", "key", LOGIN, "lustre/tao"));
        refused("Target 'here': baseDirectory must be an absolute path", new LocalTargetConfiguration("here", "tao"));
    }

    @Test
    void anAbsurdNumberOfNodesIsRefusedWithTheTargetsName() {
        SimulatedTargetConfiguration target = new SimulatedTargetConfiguration("sim", "/tao");
        target.setNodes("2000");

        refused("Target 'sim': nodes must be from 1 to 1000, was 2000", target);
    }

    @Test
    @Promise("JK-11")
    void aListThatLacksWhatJobsNeedIsRefusedByAllDoors() {
        refused(
                "Target 'dgx': 'baseDirectory' is empty, and no job can run without it.",
                new SlurmTargetConfiguration("dgx", "login-01", "key", "login-01 ssh-ed25519 AAAA", " "));
        refused("Target 'here': 'baseDirectory' is empty", new LocalTargetConfiguration("here", ""));
    }

    @Test
    void credentialsAreNotLookedUp() {
        assertThatCode(() -> TargetNames.check(List.of(
                        new SlurmTargetConfiguration("dgx", "login1, login2:2222", "no-such-key", LOGIN, "/lustre"),
                        new KubernetesTargetConfiguration("k8s"),
                        new LeptonTargetConfiguration("cloud", "vision", "no-such-token"),
                        local("here"))))
                .doesNotThrowAnyException();
    }
}
