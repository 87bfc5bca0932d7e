package io.jenkins.plugins.tao.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Asks the person at the terminal. */
final class Question {
    private final Surroundings here;

    Question(Surroundings here) {
        this.here = here;
    }

    /** What to do with a running job; no clear answer leaves it alone. */
    OnInterrupt cancelOrDetach() {
        here.err().print("\nThe job runs on. [d]etach and leave it, or [c]ancel it? [d] ");
        here.err().flush();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(here.terminal().in(), StandardCharsets.UTF_8));
        try {
            String answer = lines.readLine();
            boolean cancel =
                    answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("c");
            return cancel ? OnInterrupt.CANCEL : OnInterrupt.DETACH;
        } catch (IOException e) {
            return OnInterrupt.DETACH;
        }
    }
}
