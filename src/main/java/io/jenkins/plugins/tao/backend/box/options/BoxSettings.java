package io.jenkins.plugins.tao.backend.box.options;

/** What the targets {@code ssh} and {@code local} can be told alike. */
public record BoxSettings(BoxPlaces places, BoxNetwork network, BoxRules rules) {}
