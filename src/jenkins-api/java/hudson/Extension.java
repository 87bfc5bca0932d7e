package hudson;

import static java.lang.annotation.ElementType.FIELD;
import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.TYPE;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import net.java.sezpoz.Indexable;

/** Kept in the source alone, as SezPoz's processor asks for: Jenkins reads the index that it writes, never the class file. */
@Indexable
@Retention(RetentionPolicy.SOURCE)
@Target({TYPE, FIELD, METHOD})
public @interface Extension {
    double ordinal() default 0;

    boolean optional() default false;
}
