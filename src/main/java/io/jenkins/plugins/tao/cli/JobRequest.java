package io.jenkins.plugins.tao.cli;

import java.util.List;
import java.util.Objects;

/**
 * A job as a person asked for it, complete: the same request makes the same job again, from any directory and after the
 * job file has changed. Holds no secret, only where secrets are found.
 *
 * @param file the absolute path of the job file
 * @param text what the job file says
 * @param directory where relative paths begin
 * @param target the name given instead of the file's; empty for the file's own
 * @param targetsFile the targets file given; empty for the usual one
 * @param overrides what replaces values of the job file, in the order given
 * @param code the id of its code as it was when the job was asked for; empty for none, or when it is not known yet
 */
record JobRequest(
        String file,
        String text,
        String directory,
        String target,
        String targetsFile,
        List<Replacement> overrides,
        String code) {
    JobRequest {
        overrides = List.copyOf(overrides);
        code = Objects.requireNonNullElse(code, ""); // a record of an older version has none
    }

    JobRequest withCode(String id) {
        return new JobRequest(file, text, directory, target, targetsFile, overrides, id);
    }

    /**
     * One value given on the command line.
     *
     * @param option as a person wrote it, for messages: {@code --set train.num_epochs}
     * @param path the key in the job file and the keys below it
     * @param value the value
     * @param yaml whether the value is YAML, as {@code [1, 2]} is a list; else it is text as it stands
     */
    record Replacement(String option, List<String> path, String value, boolean yaml) {
        Replacement {
            path = List.copyOf(path);
        }

        private Value given() throws UsageException {
            return yaml ? YamlText.value(option, value) : new Value.Text(option, value, true);
        }
    }

    /** What the job file says with the overrides in place. */
    Value.Keyed content() throws UsageException {
        Value.Keyed content = YamlText.parse(file, text);
        for (Replacement override : overrides) {
            content = content.with(override.path(), override.given());
        }
        return content;
    }
}
