package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.mask.Mask;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import jenkins.model.Jenkins;

/** A request as it is kept where secrets that its build had bound stand in its texts: encrypted, as Jenkins encrypts passwords. */
final class SealedRequest implements Serializable {
    private static final long serialVersionUID = 1L;

    private final hudson.util.Secret request;
    private final ArrayList<hudson.util.Secret> secrets = new ArrayList<>();

    private SealedRequest(JobRequest request, Collection<Secret> bound) {
        this.request = hudson.util.Secret.fromString(Jenkins.XSTREAM2.toXML(request));
        bound.forEach(secret -> secrets.add(hudson.util.Secret.fromString(secret.reveal())));
    }

    /** The request as it may be kept; empty where none of {@code bound} stands in its texts. */
    static Optional<SealedRequest> of(JobRequest request, Collection<Secret> bound) {
        Mask mask = Mask.of(bound);
        return texts(request).anyMatch(text -> hides(mask, text))
                ? Optional.of(new SealedRequest(request, bound))
                : Optional.empty();
    }

    private static Stream<String> texts(JobRequest request) {
        return Stream.of(
                request.getCommand(),
                request.getEnv(),
                request.getArgs(),
                request.getSet(),
                request.getSpec(),
                request.getPre(),
                request.getPost(),
                request.getCode(),
                request.getInputs(),
                request.getOutputs());
    }

    private static boolean hides(Mask mask, String text) {
        return !mask.apply(text).equals(text);
    }

    /** What the build log says of it. */
    static String warning(JobRequest request, Collection<Secret> bound) {
        Mask mask = Mask.of(bound);
        List<String> variables = FormText.texts("env", request.getEnv()).entrySet().stream()
                .filter(entry -> hides(mask, entry.getValue()))
                .map(entry -> entry.getKey())
                .toList();
        boolean none = variables.isEmpty();
        return "WARNING: a secret that this build has bound stands in "
                + (none ? "the command or another text of the job" : "env: " + String.join(", ", variables))
                + ". It is hidden in what Jenkins keeps, but the target gets it as plain text. Use secrets: ["
                + (none ? "NAME" : variables.get(0)) + ": 'CREDENTIALS-ID'] in place of it.";
    }

    /** The request as it was given. */
    JobRequest open() {
        return (JobRequest) Jenkins.XSTREAM2.fromXML(request.getPlainText());
    }

    /** What its texts hide. */
    List<Secret> secrets() {
        return secrets.stream().map(secret -> Secret.of(secret.getPlainText())).toList();
    }
}
