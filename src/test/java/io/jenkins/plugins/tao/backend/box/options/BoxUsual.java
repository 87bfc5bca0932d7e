package io.jenkins.plugins.tao.backend.box.options;

import io.jenkins.plugins.tao.bind.RecordBinder;

/** What a target of a machine says when it says nothing: every default. */
public final class BoxUsual {
    public static final BoxSettings SETTINGS = RecordBinder.empty(BoxSettings.class);
    public static final BoxPlaces PLACES = SETTINGS.places();
    public static final BoxNetwork NETWORK = SETTINGS.network();
    public static final BoxRules RULES = SETTINGS.rules();

    private BoxUsual() {}
}
