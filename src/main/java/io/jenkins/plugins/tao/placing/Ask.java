package io.jenkins.plugins.tao.placing;

/**
 * A job that asks for its turn.
 *
 * @param key the id of the job
 * @param gpus that it asks for
 * @param folder the full name of its folder in Jenkins; empty for none
 */
public record Ask(String key, int gpus, String folder) {}
