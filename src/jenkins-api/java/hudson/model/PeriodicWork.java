package hudson.model;

import hudson.ExtensionPoint;
import hudson.triggers.SafeTimerTask;

public abstract class PeriodicWork extends SafeTimerTask implements ExtensionPoint {
    protected PeriodicWork() {}

    public abstract long getRecurrencePeriod();
}
