package io.jenkins.plugins.tao.jenkins.step;

import hudson.model.Action;
import hudson.model.Result;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jenkinsci.plugins.workflow.actions.LabelAction;
import org.jenkinsci.plugins.workflow.actions.WarningAction;
import org.jenkinsci.plugins.workflow.graph.FlowNode;
import org.jenkinsci.plugins.workflow.steps.StepContext;

/** What the graph of a Pipeline shows of one step. Jenkins writes the node to the disk each time. */
final class NodeLabel {
    private static final Logger LOGGER = Logger.getLogger(NodeLabel.class.getName());

    private static final int LONGEST = 200;

    private NodeLabel() {}

    /** Shows {@code text}; a graph that cannot be written must not end a step. */
    static void show(StepContext context, String text) {
        change(context, node -> put(node, new LabelAction(Sentences.shortened(text, LONGEST))));
    }

    /** Shows that the step went on although {@code what}. */
    static void warn(StepContext context, String what) {
        change(
                context,
                node -> node.addAction(
                        new WarningAction(Result.UNSTABLE).withMessage(Sentences.shortened(what, LONGEST))));
    }

    /** In one write: {@code addOrReplaceAction} would make two. */
    @SuppressWarnings("deprecation") // the one list of a node whose entries can be replaced
    private static void put(FlowNode node, LabelAction label) {
        List<Action> actions = node.getActions();
        for (int i = 0; i < actions.size(); i++) {
            if (actions.get(i) instanceof LabelAction) {
                actions.set(i, label);
                return;
            }
        }
        node.addAction(label);
    }

    private static void change(StepContext context, Consumer<FlowNode> change) {
        try {
            FlowNode node = context.get(FlowNode.class);
            if (node != null) {
                change.accept(node);
            }
        } catch (IOException | RuntimeException e) {
            LOGGER.log(Level.FINE, "cannot change what the graph shows of a step", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
