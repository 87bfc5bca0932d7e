package io.jenkins.plugins.tao;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The ids of the promises in promises.tsv that a test proves. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Promise {
    /** Ids such as {@code SL-17}. */
    String[] value();
}
