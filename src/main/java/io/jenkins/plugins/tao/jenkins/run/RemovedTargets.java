package io.jenkins.plugins.tao.jenkins.run;

import hudson.Extension;
import hudson.XmlFile;
import hudson.model.ItemGroup;
import hudson.model.Saveable;
import hudson.model.listeners.SaveableListener;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Says in the logs of builds, and in Jenkins' own, when the target of a watched job is renamed or removed. */
@Extension
public final class RemovedTargets extends SaveableListener {
    private static final Logger LOGGER = Logger.getLogger(RemovedTargets.class.getName());

    @Override
    public void onChange(Saveable changed, XmlFile file) {
        if (changed instanceof TaoGlobalConfiguration || changed instanceof ItemGroup) {
            LiveBuilds.get().watches().forEach((build, watches) -> watches.forEach(watch -> tell(build, watch)));
        }
    }

    private static void tell(String build, WatchRun watch) {
        String target = watch.job().target();
        if (watch.sayIfMissing(watch.reaches(target))) {
            LOGGER.log(
                    Level.WARNING,
                    "The target {0} is not configured any more; {1} of {2} continues and is still watched.",
                    new Object[] {target, watch.job().shortName(), build});
        }
    }
}
