package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DepartureTest {
    @Test
    void whatHasLeftIsNotGivenUpAndLeavesAgain() {
        Departure departure = new Departure(false);

        assertThat(departure.leave()).isTrue();

        assertThat(departure.giveUp()).isFalse();
        assertThat(departure.leave()).isTrue();
    }

    @Test
    void whatIsGivenUpNeverLeaves() {
        Departure departure = new Departure(false);

        assertThat(departure.giveUp()).isTrue();

        assertThat(departure.leave()).isFalse();
        assertThat(departure.giveUp()).isTrue();
    }

    @Test
    void whatAnEarlierProcessMayHaveSentIsNotGivenUp() {
        assertThat(new Departure(true).giveUp()).isFalse();
    }
}
