package io.jenkins.plugins.tao.bind;

/** A text that is not what a type is written as; the message says what is. */
final class WrongWord extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String advice;

    WrongWord(String expected, String advice) {
        super(expected);
        this.advice = advice;
    }

    WrongWord(String expected) {
        this(expected, "");
    }

    String advice() {
        return advice;
    }
}
