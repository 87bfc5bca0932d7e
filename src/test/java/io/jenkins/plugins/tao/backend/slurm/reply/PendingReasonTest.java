package io.jenkins.plugins.tao.backend.slurm.reply;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PendingReasonTest {
    @ParameterizedTest
    @Promise("SG-16")
    @CsvSource({
        "PartitionTimeLimit, lower it",
        "PartitionNodeLimit, lower nodes",
        "PartitionConfig, 'lower cpus, memory or GPUs'",
        "DependencyNeverSatisfied, did not succeed",
        "DeadLine, lower its wall time",
        "BadConstraints, no node can ever fit",
        "AccountNotAllowed, set another account",
        "QOSNotAllowed, set another qos",
        "InvalidAccount, set account",
        "InvalidQOS, set qos",
        "AssocMaxWallDurationPerJobLimit, lower it",
        "QOSMaxWallDurationPerJobLimit, lower it",
        "QOSMaxGRESPerJob, lower gpus",
        "QOSMaxCpuPerJobLimit, change it",
        "QOSMaxNodePerJobLimit, change it",
        "AssocMaxMemPerJob, change it",
        "AssocMaxCPUMinutesPerJobLimit, change it",
        "QOSMaxGRESPerNode, change it",
        "QOSMinGRES, change it",
        "MaxMemPerLimit, change it"
    })
    void whatWaitingCannotHelpWillNeverStartAndSaysWhatToDo(String reason, String remedy) {
        assertThat(PendingReason.explain(reason))
                .startsWith(reason + ": will never start, ")
                .contains(remedy);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Resources | next in line",
                "Priority | higher priority",
                "Dependency | another job",
                "BeginTime | starts it again after a short wait",
                "ReqNodeNotAvail, UnavailableNodes:gpu[01-04] | down, drained or reserved",
                "ReqNodeNotAvail, Reserved for maintenance | a time limit that ends before it",
                "ReqNodeNotAvail, May be reserved for other job | down, drained or reserved",
                "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions | down, drained or reserved",
                "JobHeldUser | scontrol release",
                "JobHeldAdmin | ask the site",
                "job requeued in held state | scontrol release",
                "user env retrieval failed requeued held | scontrol release",
                "ReservationDeleted | its reservation was deleted",
                "NodeDown | a node it asks for is down",
                "SchedDefer | next round",
                "MaxPoweredUpNodes | switched on",
                "BurstBufferStageIn | burst buffer",
                "AssociationJobLimit | when another job of it ends",
                "QOSResourceLimit | when another job of it ends",
                "AssocGrpWallLimit | used up",
                "QOSGrpWallLimit | used up",
                "QOSUsageThreshold | used up",
                "JobHoldMaxRequeue | scontrol release",
                "launch failed requeued held | scontrol release",
                "QOSMaxGRESPerUser | when one of your jobs ends",
                "QOSMaxCpuPerUserLimit | when another job of it ends",
                "QOSGrpNodeLimit | when another job of it ends",
                "AssocGrpJobsLimit | when another job of it ends",
                "AssocGrpGRESMinutes | used up",
                "AssocGrpBillingMinutes | used up",
                "QOSGrpGRESRunMinutes | when another job of it ends",
                "MaxGRESPerAccount | when another job of it ends"
            })
    void whatWaitingHelpsIsNotToldAsHopeless(String reason, String words) {
        assertThat(PendingReason.explain(reason))
                .startsWith(reason + ": ")
                .contains(words)
                .doesNotContain(PendingReason.NEVER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "JobHeldAdmin",
                "JobHeldUser",
                "job requeued in held state",
                "launch failed requeued held",
                "user env retrieval failed requeued held",
                "ReservationDeleted"
            })
    void aHeldJobWaitsForSomebody(String reason) {
        assertThat(PendingReason.isHeld(reason)).isTrue();
        assertThat(PendingReason.isHeld("Priority")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"None", "", "FluxCapacitorCold", "QOSomething"})
    void aReasonOfAnotherSlurmIsToldAsItIs(String reason) {
        assertThat(PendingReason.explain(reason)).isEqualTo(reason);
    }

    @Test
    void aReasonWithAListBehindItIsKnownByItsFirstWord() {
        assertThat(PendingReason.of("PartitionTimeLimit(polar)")).isPresent();
    }

    @Test
    void anEmptyListIsNotTold() {
        assertThat(PendingReason.explain("ReqNodeNotAvail, UnavailableNodes:"))
                .isEqualTo("ReqNodeNotAvail: a node it asks for is down, drained or reserved");
    }
}
