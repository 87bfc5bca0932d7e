package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.backend.box.diagnosis.GpuHealth;
import io.jenkins.plugins.tao.backend.box.options.BoxRules;
import io.jenkins.plugins.tao.job.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what the scripts of {@link CareScript} answer. Pure. */
final class CareReply {
    private static final Pattern AGE = Pattern.compile(
            "(?m)^age (\\d{1,15}) (\\d{1,15}|-) (\\d{1,15}) (\\d{1,9}) (\\d{1,9}) (\\d{1,9}) (\\d{1,9})$");
    private static final Pattern HOST = Pattern.compile("(?m)^host (\\S+)$");
    private static final Pattern ROOM = Pattern.compile("(?m)^room (\\d{1,18}) (\\d{1,18})$");
    private static final Pattern SIZE = Pattern.compile("du (\\d{1,18})\\s+(.+)");
    private static final long KIB_PER_MIB = 1024;
    private static final long KIB_PER_GIB = 1024 * 1024;

    private CareReply() {}

    /** What is owed: host, age, what runs, what is not at home, and what to do. */
    static List<String> reminder(BoxPlace place, String text) {
        Matcher age = AGE.matcher(text);
        Matcher host = HOST.matcher(text);
        String who = place.name() + " (" + (host.find() ? host.group(1) + ", " : "")
                + place.address().orElse("this machine") + ")";
        if (!age.find()) {
            return List.of("REMINDER: the box " + who + " costs money until you release it.");
        }
        List<String> lines = new ArrayList<>();
        String first = age.group(2).equals("-")
                ? "no job yet"
                : "first job " + since(Long.parseLong(age.group(3)) - Long.parseLong(age.group(2))) + " ago";
        lines.add("REMINDER: the box " + who + " costs money until you release it: up for "
                + since(Long.parseLong(age.group(1))) + ", " + first + ", " + age.group(4) + " running, "
                + age.group(5) + " queued, " + age.group(6) + " ended.");
        if (!age.group(7).equals("0")) {
            lines.add("The results of " + age.group(7) + " ended attempts have not been fetched.");
        }
        if (age.group(4).equals("0") && age.group(5).equals("0")) {
            lines.add("It is idle. Nothing is stopped for you; on the command line: tao box stop " + place.name()
                    + " --yes, or release it where you rented it.");
        }
        return lines;
    }

    static List<String> look(BoxPlace place, String text) {
        List<String> lines = new ArrayList<>();
        Matcher age = AGE.matcher(text);
        Matcher room = ROOM.matcher(text);
        if (age.find()) {
            lines.add("jobs: " + age.group(4) + " running, " + age.group(5) + " queued, " + age.group(6)
                    + " ended; up for " + since(Long.parseLong(age.group(1))));
        }
        if (room.find()) {
            lines.add("disk: " + Long.parseLong(room.group(1)) / KIB_PER_GIB + " GiB and " + room.group(2)
                    + " inodes are free below " + place.base());
        }
        List<String> said = text.lines().toList();
        said.stream()
                .filter(line -> line.matches("(gpu|job|tmux|gpu health): .*"))
                .map(CareReply::told)
                .forEach(lines::add);
        lines.addAll(GpuHealth.of(said));
        if (place.lease() != BoxRules.Lease.OWNED) {
            lines.addAll(reminder(place, text));
        }
        return lines;
    }

    private static String told(String line) {
        if (!line.startsWith("gpu health: ")) {
            return line;
        }
        String[] words = line.substring("gpu health: ".length()).split(", *", -1);
        return words.length == 7
                ? "gpu " + words[0] + ": " + words[1] + " % busy, " + words[2] + " of " + words[3] + " MHz, " + words[4]
                        + " of " + words[5] + " W, " + words[6] + " °C"
                : line;
    }

    static List<String> largest(String text) {
        List<String> lines = new ArrayList<>();
        text.lines().map(SIZE::matcher).filter(Matcher::matches).forEach(line -> {
            long kib = Long.parseLong(line.group(1));
            String size = kib >= KIB_PER_GIB ? kib / KIB_PER_GIB + " GiB" : kib / KIB_PER_MIB + " MiB";
            lines.add(String.format("%9s  %s", size, line.group(2)));
        });
        return lines;
    }

    /** {@code job KEY runs} and {@code KEY: FILE}: what a release would lose. */
    static List<String> lost(String text) {
        if (!text.endsWith("end\n")) {
            return List.of("the list of files on the box is incomplete");
        }
        List<String> lost = new ArrayList<>();
        text.lines().forEach(line -> {
            String[] words = line.split(" ", 3);
            if (words[0].equals("running")) {
                lost.add("job " + words[1] + " runs");
            } else if (words[0].equals("away")) {
                lost.add(words[1] + ": " + words[2].replaceFirst("^\\./", "") + " has not been fetched");
            }
        });
        return lost;
    }

    private static String since(long seconds) {
        return Durations.words(Duration.ofSeconds(seconds));
    }
}
