package io.jenkins.plugins.tao.bind;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonMappingException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value that does not fit, on its way out of Jackson, which adds the path. {@code {}} in a text is the name of the key. */
final class Misfit extends JsonMappingException {
    private static final long serialVersionUID = 1L;

    private final String inForm;
    private final String inFile;

    private Misfit(@Nullable JsonParser parser, String inForm, String inFile, @Nullable Throwable cause) {
        super(parser, inForm, cause);
        this.inForm = inForm;
        this.inFile = inFile;
    }

    /** A text that is none of what is expected; {@code advice} says what was meant, or is empty. */
    static Misfit expected(JsonParser parser, WrongWord wrong, String found) {
        String inFile = wrong.advice().isEmpty()
                ? "'{}': expected " + wrong.getMessage() + ", found '" + found + "'"
                : "'{}': unknown value '" + found + "'. " + wrong.advice();
        return new Misfit(parser, "{} must be " + wrong.getMessage() + ", was '" + found + "'", inFile, wrong);
    }

    /** A text that its own type refuses, in words of its own. */
    static Misfit refused(JsonParser parser, IllegalArgumentException why) {
        String message = String.valueOf(why.getMessage());
        return new Misfit(parser, message, "'{}': " + message, why);
    }

    /** A list or a mapping in the wrong place. */
    static Misfit shape(String expected, String found) {
        String sentence = " must " + expected + ", found " + found;
        return new Misfit(null, "{}" + sentence, "'{}'" + sentence, null);
    }

    /** A whole record that is wrong, and no one key of it. */
    static Misfit whole(JsonParser parser, String sentence, @Nullable Throwable cause) {
        return new Misfit(parser, sentence, sentence, cause);
    }

    /** A key that is missing. */
    static Misfit missing(JsonParser parser, String key) {
        return new Misfit(parser, key + " is missing", "'" + key + "' is missing", null);
    }

    BindException at(List<String> path) {
        String name = path.stream()
                .filter(step -> !step.matches("\\d+"))
                .reduce((outer, inner) -> inner)
                .orElse("the value");
        return new BindException(path, inForm.replace("{}", name), inFile.replace("{}", name), false, this);
    }
}
