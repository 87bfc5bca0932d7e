package hudson.model;

public class Fingerprint {
    public RangeSet getRangeSet(String jobFullName) {
        throw new UnsupportedOperationException();
    }

    public static final class RangeSet {
        public boolean includes(int i) {
            throw new UnsupportedOperationException();
        }
    }
}
