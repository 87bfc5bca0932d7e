package io.jenkins.plugins.tao.backend;

/** A kind that only writes notebooks, which a user runs by hand: it previews jobs and opens no backend. */
public interface NotebookType extends BackendType {}
