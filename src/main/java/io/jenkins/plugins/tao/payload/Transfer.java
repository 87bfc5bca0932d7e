package io.jenkins.plugins.tao.payload;

/** One input on its way into a container, or one output on its way out of it. */
public record Transfer(S3Address remote, String local) {}
