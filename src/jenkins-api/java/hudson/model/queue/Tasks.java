package hudson.model.queue;

import hudson.model.Queue;
import org.springframework.security.core.Authentication;

public class Tasks {
    public static Authentication getAuthenticationOf2(Queue.Task t) {
        throw new UnsupportedOperationException();
    }
}
