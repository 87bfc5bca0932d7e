package hudson.model;

import java.util.Collection;

public interface ItemGroup<T extends Item> extends ModelObject {
    String getFullName();

    Collection<T> getItems();
}
