package jenkins;

@SuppressWarnings("serial")
public abstract class MasterToSlaveFileCallable<T> implements hudson.FilePath.FileCallable<T> {}
