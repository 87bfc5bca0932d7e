package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.job.JobHandle;
import lombok.AccessLevel;
import lombok.Getter;
import lombok.RequiredArgsConstructor;

/** A job that lives at a target and that no build of this controller looks after. Never changed. */
@RequiredArgsConstructor(access = AccessLevel.PACKAGE)
public final class Orphan {
    private final JobHandle job;
    /** The target's own word. */
    @Getter
    private final String state;

    @Getter
    private final Kind kind;

    /** The build that had to do with it last, whether it is there or not; empty when none is known. */
    @Getter
    private final String build;

    @Getter
    private final boolean ignored;

    /** How it came to be alone. */
    public enum Kind {
        /** Its build has been deleted, or was never known. */
        GONE("its build is gone"),
        /** Its build has ended and is not waiting for it. */
        UNWATCHED("its build has ended, and it is not watched"),
        /** Its build left it on purpose and said so. */
        LEFT("its build left it running on purpose"),
        /** Neither the target nor this controller knows whose it is. */
        UNKNOWN("started by tao-run, by an unknown controller: check it before you cancel it");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    JobHandle job() {
        return job;
    }

    Orphan ignored(boolean now) {
        return new Orphan(job, state, kind, build, now);
    }

    public String getId() {
        return job.key().value();
    }

    public String getTarget() {
        return job.target();
    }

    public String getNativeId() {
        return job.nativeId();
    }

    /** Takes it up in a Pipeline, or in a terminal. */
    public String getToken() {
        return job.token();
    }

    /** Why it is here, in words. */
    public String getWhy() {
        return kind.words;
    }

    /** Whether an administrator should hear of it: what was left on purpose, is ignored or may be another's is no alarm. */
    boolean isAlarm() {
        return !ignored && (kind == Kind.GONE || kind == Kind.UNWATCHED);
    }
}
