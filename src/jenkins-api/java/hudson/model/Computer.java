package hudson.model;

public abstract class Computer extends Actionable {
    public static final java.util.concurrent.ExecutorService threadPoolForRemoting =
            java.util.concurrent.ForkJoinPool.commonPool();
}
