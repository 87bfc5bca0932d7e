package io.jenkins.plugins.tao.backend.kubernetes.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.text.Option;
import java.util.OptionalLong;

/**
 * Whose processes run in the pods, by the names that a {@code securityContext} has for it.
 *
 * @param runAsUser the number of the user
 * @param runAsGroup the number of the group
 * @param fsGroup the group that volumes are made writable for
 */
public record RunAs(
        @Option(defaultsTo = "the image's own, or the one that OpenShift gives the namespace")
        OptionalLong runAsUser,

        @Option(defaultsTo = "the one that the image gives the user, else 0")
        OptionalLong runAsGroup,

        @Option(defaultsTo = "none") OptionalLong fsGroup) {
    /** What the API server takes at most. */
    private static final long MAX = Integer.MAX_VALUE;

    /** As the image and the cluster have it. */
    public static final RunAs AS_IS = new RunAs(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

    public RunAs {
        check("runAsUser", runAsUser);
        check("runAsGroup", runAsGroup);
        check("fsGroup", fsGroup);
    }

    private static void check(String field, OptionalLong id) {
        id.ifPresent(
                number -> require(number >= 0 && number <= MAX, "%s must be from 0 to %d, was %d", field, MAX, number));
    }

    public boolean isRoot() {
        return runAsUser.equals(OptionalLong.of(0));
    }
}
