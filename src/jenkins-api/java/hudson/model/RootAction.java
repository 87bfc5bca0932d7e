package hudson.model;

import hudson.ExtensionPoint;

public interface RootAction extends Action, ExtensionPoint {}
