package jenkins.security;

/** Stands in for Jenkins' own in tests. */
public class HMACConfidentialKey {
    private final String key;

    public HMACConfidentialKey(Class<?> owner, String shortName) {
        key = owner + shortName;
    }

    public String mac(String message) {
        return Integer.toHexString((key + message).hashCode());
    }

    public boolean checkMac(String message, String mac) {
        return mac(message).equals(mac);
    }
}
