package hudson.model;

public interface ItemGroup<T extends Item> extends ModelObject {}
