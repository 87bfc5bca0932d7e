package hudson.model;

import hudson.util.FormValidation;
import java.util.Map;
import net.sf.json.JSONObject;
import org.kohsuke.stapler.StaplerRequest2;

public abstract class Descriptor<T extends Describable<T>> implements Saveable {
    public final transient Class<? extends T> clazz;

    protected Descriptor() {
        this.clazz = null;
    }

    protected Descriptor(Class<? extends T> clazz) {
        this.clazz = clazz;
    }

    public String getDisplayName() {
        throw new UnsupportedOperationException();
    }

    public String getDescriptorUrl() {
        throw new UnsupportedOperationException();
    }

    public static String getCurrentDescriptorByNameUrl() {
        throw new UnsupportedOperationException();
    }

    public void calcFillSettings(String field, Map<String, Object> attributes) {
        throw new UnsupportedOperationException();
    }

    public FormValidation.CheckMethod getCheckMethod(String fieldName) {
        throw new UnsupportedOperationException();
    }

    @SuppressWarnings("rawtypes")
    protected void addHelpFileRedirect(
            String fieldName, Class<? extends Describable> owner, String fieldNameToRedirectTo) {
        throw new UnsupportedOperationException();
    }

    public T newInstance(StaplerRequest2 req, JSONObject formData) throws FormException {
        throw new UnsupportedOperationException();
    }

    public boolean configure(StaplerRequest2 req, JSONObject json) throws FormException {
        throw new UnsupportedOperationException();
    }

    @Override
    public synchronized void save() {
        throw new UnsupportedOperationException();
    }

    public synchronized void load() {
        throw new UnsupportedOperationException();
    }

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
