package io.jenkins.plugins.tao;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** A test that needs a real Jenkins. */
@Tag(NeedsJenkins.TAG)
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface NeedsJenkins {
    /** The tag by which a test run knows it. */
    String TAG = "jenkins";
}
