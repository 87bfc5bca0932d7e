package io.jenkins.plugins.tao.backend;

/** A backend that says for whom it does things: what it starts is known again as the work of that controller. */
public interface Controlled {
    /** Says for whom everything is done; called once, before anything else. */
    void actFor(Controller controller);
}
