package hudson.model;

public interface TopLevelItem extends Item {}
