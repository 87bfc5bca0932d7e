package io.jenkins.plugins.tao.jenkins.config;

import hudson.util.ListBoxModel;
import java.util.Locale;

/** What drop-downs offer; the empty value leaves a thing open. */
public final class Choices {
    private Choices() {}

    /** The values of a field whose type has few, beside its default. */
    static ListBoxModel of(String field, Class<?> record) {
        String usual = FormBinder.defaultOf(field, record);
        ListBoxModel model = new ListBoxModel();
        model.add(usual.isEmpty() ? Messages.Choices_default() : Messages.Choices_defaultOf(usual), "");
        Class<?> type = FormBinder.type(field, record);
        if (type.isEnum()) {
            addWords(model, type);
        } else if (type == Boolean.class || type == boolean.class) {
            addYesAndNo(model);
        }
        return model;
    }

    public static ListBoxModel yesOrNo() {
        ListBoxModel model = open();
        addYesAndNo(model);
        return model;
    }

    private static void addYesAndNo(ListBoxModel model) {
        model.add(Messages.Choices_yes(), "true");
        model.add(Messages.Choices_no(), "false");
    }

    /** The words of {@code kind}, in small letters. */
    public static ListBoxModel of(Class<? extends Enum<?>> kind) {
        ListBoxModel model = open();
        addWords(model, kind);
        return model;
    }

    private static void addWords(ListBoxModel model, Class<?> kind) {
        for (Object each : kind.getEnumConstants()) {
            String word = ((Enum<?>) each).name().toLowerCase(Locale.ROOT);
            model.add(word, word);
        }
    }

    public static ListBoxModel words(String... words) {
        ListBoxModel model = open();
        for (String word : words) {
            model.add(word, word);
        }
        return model;
    }

    private static ListBoxModel open() {
        ListBoxModel model = new ListBoxModel();
        model.add(Messages.Choices_default(), "");
        return model;
    }
}
