package io.jenkins.plugins.tao.jenkins.step;

import com.google.common.util.concurrent.ListenableFuture;
import hudson.FilePath;
import hudson.security.ACL;
import hudson.security.ACLContext;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.TaoResult;
import io.jenkins.plugins.tao.jenkins.run.WorkspaceFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jenkins.model.Jenkins;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/**
 * One {@code taoRun} with a job file or gates under way: a {@code taoRun} or {@code taoSweep} of what the file says, then a {@code taoGate}
 * for each gate, one after the other. What is under way is a part of this step when it is saved, so that after a restart it goes on. It
 * holds no thread.
 */
final class JudgedExecution extends StepExecution {
    private static final long serialVersionUID = 1L;

    private final RunStep asked;
    private ArrayList<Map<String, String>> gates;
    /** The jobs to judge, once they have ended; tokens. */
    private final ArrayList<String> jobs = new ArrayList<>();
    /** How many of all questions were asked: for each job, each gate. */
    private int questions;

    /** By the number of the question. */
    private final LinkedHashMap<Integer, GateFailed> failures = new LinkedHashMap<>();
    /** Null until the file is read: before that nothing is sent. */
    private @Nullable StepExecution part;
    /** What the step returns, once the run has ended. */
    private @Nullable Object result;

    private transient @Nullable Throwable stopped;
    private transient @Nullable Authentication who;

    /**
     * For a step, whose file may be empty.
     *
     * @param gates what its jobs are judged by; empty for those of the file
     */
    JudgedExecution(StepContext context, RunStep asked, List<Map<String, String>> gates) {
        super(context);
        this.asked = asked;
        this.gates = new ArrayList<>(gates);
    }

    @Override
    public boolean start() {
        onResume();
        return false;
    }

    @Override
    public synchronized void onResume() {
        who = Jenkins.getAuthentication2();
        StepExecution under = part;
        if (under == null) {
            TaoRuntime.calls().execute(() -> StepWork.run(getContext(), this::begin));
        } else {
            under.onResume();
        }
    }

    private void begin() throws IOException, InterruptedException {
        StepContext context = getContext();
        if (asked.getFile().isEmpty()) {
            begin(new FiledJob(asked, List.of()));
        } else {
            String text = WorkspaceFiles.jobFile(asked.getFile(), context.get(FilePath.class));
            begin(FiledJob.read(asked, text, BuildScope.of(context)));
        }
    }

    private synchronized void begin(FiledJob job) throws IOException, InterruptedException {
        if (stopped == null) {
            if (gates.isEmpty()) {
                job.gates().forEach(keys -> gates.add(new LinkedHashMap<>(keys)));
            }
            go(job.step().begin(new PartContext(this)));
        }
    }

    /** Starts the next part, with the rights of the build. Called with the lock held. */
    private void go(StepExecution next) throws IOException, InterruptedException {
        part = next;
        var unused = getContext().saveState();
        try (ACLContext as = ACL.as2(who == null ? ACL.SYSTEM2 : who)) {
            assert as != null;
            next.start();
        } catch (IOException | InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) { // as Jenkins declares it
            throw new IllegalStateException(e);
        }
    }

    /** A part ended well: the run, or a gate. */
    private synchronized void ended(Object value) throws IOException, InterruptedException {
        if (stopped != null) {
            return;
        }
        take(value);
        judge();
    }

    private void take(Object value) {
        if (result == null) {
            result = value;
            jobs.addAll(tokens(value));
        }
    }

    /** All gates judge, however the ones before them answered; those of groups judge within the run. */
    private synchronized void failed(Throwable failure) throws IOException, InterruptedException {
        if (stopped == null && failure instanceof GateFailed gate) {
            if (part instanceof SweepExecution sweep) {
                take(sweep.judged());
            }
            failures.put(questions, gate); // after a restart the last gate may judge again
            judge();
        } else {
            getContext().onFailure(failure);
        }
    }

    private void judge() throws IOException, InterruptedException {
        if (questions < jobs.size() * gates.size()) {
            String job = jobs.get(questions / gates.size());
            Map<String, String> keys = gates.get(questions % gates.size());
            questions++;
            go(GateStep.gate(new PartContext(this), keys, job, ""));
        } else if (failures.isEmpty()) {
            getContext().onSuccess(result);
        } else {
            getContext()
                    .onFailure(new GateFailed(
                            failures.values().stream()
                                    .map(Throwable::getMessage)
                                    .collect(Collectors.joining(" ")),
                            failures.values().stream().anyMatch(GateFailed::bad)));
        }
    }

    /** A cell that did not succeed is not judged: the sweep says what became of it. */
    private static List<String> tokens(Object value) {
        if (value instanceof TaoResult job) {
            return List.of(job.getToken());
        }
        Object cells = value instanceof Map<?, ?> sweep ? sweep.get("cells") : null;
        return cells instanceof List<?> list
                ? list.stream()
                        .map(cell -> (Map<?, ?>) cell)
                        .filter(cell -> Boolean.TRUE.equals(cell.get("success")))
                        .map(cell -> String.valueOf(cell.get("token")))
                        .distinct()
                        .toList()
                : List.of();
    }

    @Override
    public synchronized void stop(Throwable cause) throws Exception {
        stopped = cause;
        if (part == null) {
            getContext().onFailure(cause);
        } else {
            part.stop(cause);
        }
    }

    @Override
    public synchronized String getStatus() {
        return part == null ? "reading " + asked.getFile() : part.getStatus();
    }

    /** The context of a part, whose end is not the end of the step. A part may hold its own lock when it ends. */
    private static final class PartContext extends OwnContext {
        private static final long serialVersionUID = 1L;

        private final JudgedExecution step;

        PartContext(JudgedExecution step) {
            this.step = step;
        }

        @Override
        public <T> T get(Class<T> key) throws IOException, InterruptedException {
            return step.getContext().get(key);
        }

        @Override
        public void onSuccess(Object value) {
            TaoRuntime.calls().execute(() -> StepWork.run(step.getContext(), () -> step.ended(value)));
        }

        @Override
        public void onFailure(Throwable failure) {
            TaoRuntime.calls().execute(() -> StepWork.run(step.getContext(), () -> step.failed(failure)));
        }

        @Override
        public ListenableFuture<Void> saveState() {
            return step.getContext().saveState();
        }
    }
}
