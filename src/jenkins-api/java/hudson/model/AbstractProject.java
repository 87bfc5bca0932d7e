package hudson.model;

@SuppressWarnings("unchecked") // getParent() is raw in Jenkins
public abstract class AbstractProject<P extends AbstractProject<P, R>, R extends AbstractBuild<P, R>>
        extends Job<P, R> {}
