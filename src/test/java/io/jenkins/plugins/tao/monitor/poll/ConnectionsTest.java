package io.jenkins.plugins.tao.monitor.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.monitor.ManualTicker;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final ManualTicker ticker = new ManualTicker(Instant.EPOCH);
    private final SimulatedCluster cluster = new SimulatedCluster();
    private final Target target = new SimulatedCluster.Place("sim");
    private final Connections connections =
            new Connections(BackendTypes.of(cluster), ticker, Runnable::run, Controller.NONE);

    @Test
    void borrowersShareOneConnection() {
        Connections.Loan first = connections.borrow(target);
        Connections.Loan second = connections.borrow(new SimulatedCluster.Place("sim"));
        first.close();
        ticker.advance(LONG);

        assertThat(cluster.opened).isEqualTo(1);
        assertThat(cluster.closed).isZero();
        second.close();
        ticker.advance(LONG);
        assertThat(cluster.closed).isEqualTo(1);
    }

    @Test
    void aConnectionIsKeptForAMomentForTheNextBorrower() {
        connections.borrow(target).close();
        ticker.advance(Duration.ofSeconds(10));
        Connections.Loan loan = connections.borrow(target);
        ticker.advance(LONG);

        assertThat(cluster.opened).isEqualTo(1);
        assertThat(cluster.closed).isZero();
        loan.close();
    }

    @Test
    void whatAPlaceToldOfItselfHoldsForHalfAMinute() {
        Connections.Loan watching = connections.borrow(target);
        ticker.advance(Duration.ofSeconds(29));
        connections.borrow(target).close();
        assertThat(cluster.forgotten).isZero();

        ticker.advance(Duration.ofSeconds(1));
        connections.borrow(target).close();
        connections.borrow(target).close();

        assertThat(cluster.forgotten).isEqualTo(1);
        watching.close();
    }

    @Test
    void aLoanGivenBackTwiceCountsOnce() {
        Connections.Loan first = connections.borrow(target);
        Connections.Loan second = connections.borrow(target);
        first.close();
        first.close();
        ticker.advance(LONG);

        assertThat(cluster.closed).isZero();
        second.close();
    }

    @Test
    void closingEndsWhatIsStillBorrowed() {
        try (Connections.Loan loan = connections.borrow(target)) {
            connections.close();

            assertThat(loan.backend()).isSameAs(cluster);
            assertThat(cluster.closed).isEqualTo(1);
        }
    }
}
