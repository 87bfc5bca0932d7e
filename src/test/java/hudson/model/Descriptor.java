package hudson.model;

import hudson.util.FormValidation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import net.sf.json.JSONObject;
import org.kohsuke.stapler.StaplerRequest2;

/** Stands in for Jenkins' own in tests: has no file. */
public abstract class Descriptor<T extends Describable<T>> implements Saveable {
    public final transient Class<? extends T> clazz;
    private final transient Map<String, Class<?>> redirects = new HashMap<>();

    /** As Jenkins' own, of the class that it stands in. */
    @SuppressWarnings("unchecked")
    protected Descriptor() {
        this.clazz = (Class<? extends T>) getClass().getEnclosingClass();
    }

    protected Descriptor(Class<? extends T> clazz) {
        this.clazz = clazz;
    }

    public String getDisplayName() {
        return "";
    }

    public String getDescriptorUrl() {
        return "descriptorByName/" + clazz.getName();
    }

    public static String getCurrentDescriptorByNameUrl() {
        return "";
    }

    /** As Jenkins' own, which takes no field without a method. */
    public void calcFillSettings(String field, Map<String, Object> attributes) {
        String method = "doFill" + field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1) + "Items";
        if (Arrays.stream(getClass().getMethods())
                .noneMatch(found -> found.getName().equals(method))) {
            throw new IllegalStateException(getClass() + " doesn't have the " + method + " method");
        }
        attributes.put("fillUrl", getDescriptorUrl() + "/" + method);
    }

    /** As Jenkins' own. */
    public FormValidation.CheckMethod getCheckMethod(String field) {
        return new FormValidation.CheckMethod(this, field);
    }

    @SuppressWarnings("rawtypes") // as Jenkins declares it
    protected void addHelpFileRedirect(String field, Class<? extends Describable> owner, String ownerField) {
        redirects.put(field, owner);
    }

    /** The form whose help of the same name a field has; empty for its own. */
    public Optional<Class<?>> redirected(String field) {
        return Optional.ofNullable(redirects.get(field));
    }

    public T newInstance(StaplerRequest2 req, JSONObject formData) throws FormException {
        throw new UnsupportedOperationException();
    }

    public boolean configure(StaplerRequest2 req, JSONObject json) throws FormException {
        throw new UnsupportedOperationException();
    }

    @Override
    public synchronized void save() {
        // nothing is kept
    }

    public synchronized void load() {
        // nothing is kept
    }

    /** As Jenkins' own. */
    public static final class FormException extends Exception {
        private static final long serialVersionUID = 1L;

        public FormException(String message, String formField) {
            super(message);
        }

        public FormException(String message, Throwable cause, String formField) {
            super(message, cause);
        }
    }
}
