package org.jenkinsci.remoting;

public interface RoleSensitive {}
