package io.jenkins.plugins.tao.job.text;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Facts about a key that its type does not show. The reference and the forms read them; the record itself applies them. */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Option {
    /** The first version that has the key. */
    String since() default "0.1.0";

    /**
     * What holds without the key, as Markdown: a value, or the words for it; {@code required} for a list that must not be
     * empty. Empty where the record's {@code defaults()} has the value, or where the target decides.
     */
    String defaultsTo() default "";

    /** The unit of a number or a size, as Markdown; empty without one, and for lengths of time. */
    String unit() default "";
}
