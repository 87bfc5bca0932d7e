package io.jenkins.plugins.tao.cli.terminal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import lombok.RequiredArgsConstructor;

/** Ctrl-C: the first one is a question to whoever waits, the second one leaves at once. */
@RequiredArgsConstructor
public final class Interrupts {
    private final AtomicInteger strikes = new AtomicInteger();
    private final Runnable leave;
    private boolean taken;

    /**
     * Listens to SIGINT. The JDK's signals are in an unsupported module without API of their own; where they are missing,
     * Ctrl-C ends the process as usual, and the job goes on.
     */
    public void listen() {
        try {
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Class<?> signal = Class.forName("sun.misc.Signal");
            InvocationHandler strike = (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                    strike();
                    return null;
                }
                return method.getName().equals("equals") ? (Object) (proxy == arguments[0]) : (Object) hashCode();
            };
            Object ours = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, strike);
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("INT"), ours);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            System.getLogger(Interrupts.class.getName()).log(System.Logger.Level.DEBUG, "no signals here", e);
        }
    }

    /** Ctrl-C was struck. */
    public void strike() {
        if (strikes.incrementAndGet() > 1) {
            leave.run();
        }
    }

    /** The person goes on waiting: the next Ctrl-C is a question again. */
    public synchronized void goOn() {
        strikes.set(0);
        taken = false;
    }

    /** Whether a strike waits for an answer; it is answered by asking. */
    public synchronized boolean take() {
        boolean waits = strikes.get() > 0 && !taken;
        taken |= waits;
        return waits;
    }
}
