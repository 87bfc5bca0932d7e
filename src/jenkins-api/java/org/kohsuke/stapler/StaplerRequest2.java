package org.kohsuke.stapler;

public interface StaplerRequest2 {}
