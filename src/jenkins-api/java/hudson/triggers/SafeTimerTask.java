package hudson.triggers;

public abstract class SafeTimerTask extends java.util.TimerTask {
    protected SafeTimerTask() {}

    @Override
    public final void run() {
        throw new UnsupportedOperationException();
    }

    protected abstract void doRun() throws Exception;
}
