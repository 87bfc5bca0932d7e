package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Target;
import java.util.function.Consumer;

/** What is owed to whoever pays for a machine, told after each end of a job there, whatever the end was. */
public final class Reminder {
    private final Session session;
    private final Target target;

    public Reminder(Session session, Target target) {
        this.session = session;
        this.target = target;
    }

    public void tell(Consumer<String> line) {
        try {
            session.dispatcher().reminder(target).forEach(line);
        } catch (BackendException e) {
            line.accept("REMINDER: if the machine of target '" + target.name()
                    + "' is rented, it still costs money; the machine could not be queried: " + e.getMessage());
        }
    }
}
