package io.jenkins.plugins.tao.jenkins.page;

import hudson.Extension;
import hudson.ExtensionList;
import hudson.model.Action;
import hudson.model.Run;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import jenkins.model.TransientActionFactory;

/**
 * Gives each build with TAO jobs its page. The page is made from files of the build and never saved in {@code build.xml}: a
 * build that Jenkins loads and saves while the plugin is disabled has its page again when the plugin is enabled.
 */
@Extension
public final class TaoRunActions extends TransientActionFactory<Run<?, ?>> {
    private final Map<Run<?, ?>, WeakReference<TaoRunAction>> pages = new WeakHashMap<>();

    static TaoRunActions get() {
        return ExtensionList.lookupSingleton(TaoRunActions.class);
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // there is no class of Run<?, ?>
    public Class<Run<?, ?>> type() {
        return (Class) Run.class;
    }

    @Override
    public Class<? extends Action> actionType() {
        return TaoRunAction.class;
    }

    @Override
    public Collection<? extends Action> createFor(Run<?, ?> run) {
        if (saved(run).isPresent()) {
            return List.of();
        }
        TaoRunAction page = of(run);
        return page.hasJobs() ? List.of(page) : List.of();
    }

    /** The one page of {@code run}: all that change it at a time change the same. */
    TaoRunAction of(Run<?, ?> run) {
        return saved(run).orElseGet(() -> made(run));
    }

    private synchronized TaoRunAction made(Run<?, ?> run) {
        WeakReference<TaoRunAction> known = pages.get(run);
        TaoRunAction page = known == null ? null : known.get();
        if (page == null) {
            page = new TaoRunAction(run);
            pages.put(run, new WeakReference<>(page));
        }
        return page;
    }

    /** As version 0.1 kept it in {@code build.xml}. */
    @SuppressWarnings("deprecation") // getAllActions would ask this factory again
    private static Optional<TaoRunAction> saved(Run<?, ?> run) {
        return run.getActions().stream()
                .filter(TaoRunAction.class::isInstance)
                .map(TaoRunAction.class::cast)
                .findFirst();
    }
}
