package io.jenkins.plugins.tao.backend.box.diagnosis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What clocks, power and temperature tell of GPUs: utilisation alone says 100 % of a GPU that does nothing useful. Pure; a
 * line is {@code gpu health: index, utilisation, SM clock, its maximum, power, its limit, temperature}.
 */
public final class GpuHealth {
    private static final String LINE = "gpu health: ";
    private static final int COLUMNS = 7;
    private static final double BUSY = 90;
    private static final double LOW = 0.3;
    /** Where NVIDIA's data centre GPUs begin to slow down. */
    private static final double HOT = 83;

    private GpuHealth() {}

    /** What is found of GPUs whose jobs run. */
    public static List<String> of(List<String> facts) {
        return gpus(facts)
                .flatMap(gpu -> Stream.concat(heat(gpu).stream(), work(gpu).stream()))
                .toList();
    }

    /**
     * What is found of the GPUs of a job that has ended. The driver's utilisation is the mean of up to a second: it says 100 %
     * of a GPU whose only process has just gone (seen with an H200, driver 580.159).
     */
    static List<String> afterEnd(List<String> facts) {
        return gpus(facts).flatMap(gpu -> heat(gpu).stream()).toList();
    }

    private static Stream<String[]> gpus(List<String> facts) {
        return facts.stream()
                .filter(fact -> fact.startsWith(LINE))
                .map(fact -> fact.substring(LINE.length()).split(", *", -1))
                .filter(columns -> columns.length == COLUMNS);
    }

    private static Optional<String> heat(String[] columns) {
        return number(columns[6]) > HOT
                ? Optional.of("GPU " + columns[0] + " is at " + columns[6]
                        + " °C and slows down; look at the cooling of the box.")
                : Optional.empty();
    }

    private static List<String> work(String[] columns) {
        String gpu = "GPU " + columns[0];
        double busy = number(columns[1]);
        double clock = number(columns[2]) / number(columns[3]);
        double power = number(columns[4]) / number(columns[5]);
        List<String> verdicts = new ArrayList<>();
        if (busy >= BUSY && power < LOW) {
            verdicts.add(gpu + " calls itself " + columns[1] + " % busy, but draws " + columns[4] + " of " + columns[5]
                    + " W: it waits, for data or for another process.");
        }
        if (busy >= BUSY && clock < LOW) {
            verdicts.add(gpu + " is held at " + columns[2] + " of " + columns[3] + " MHz.");
        }
        return verdicts;
    }

    /** NaN for what the driver does not tell, which is less and more than nothing. */
    private static double number(String text) {
        return text.strip().matches("\\d{1,9}(\\.\\d{1,6})?") ? Double.parseDouble(text.strip()) : Double.NaN;
    }
}
