package hudson.scm;

public abstract class SCMRevisionState {}
