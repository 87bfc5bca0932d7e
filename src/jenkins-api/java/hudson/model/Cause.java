package hudson.model;

import org.jspecify.annotations.Nullable;

public abstract class Cause {
    public static class UserIdCause extends Cause {
        public @Nullable String getUserId() {
            throw new UnsupportedOperationException();
        }

        public @Nullable String getUserName() {
            throw new UnsupportedOperationException();
        }
    }
}
