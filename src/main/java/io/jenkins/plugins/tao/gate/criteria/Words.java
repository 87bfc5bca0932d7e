package io.jenkins.plugins.tao.gate.criteria;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.OptionalDouble;

/** Numbers as people read them. */
public final class Words {
    private static final int DIGITS = 5;
    private static final int BRIEF = 3;
    private static final int MOST = 8;

    private Words() {}

    /** Five digits at most, without zeros at the end. */
    public static String number(double value) {
        return rounded(value, DIGITS);
    }

    /** The same; empty for none. */
    public static String number(OptionalDouble value) {
        return value.isPresent() ? number(value.getAsDouble()) : "";
    }

    /** So many significant digits at most, without zeros at the end. */
    public static String rounded(double value, int digits) {
        if (!Double.isFinite(value)) {
            return Double.toString(value);
        }
        BigDecimal rounded = new BigDecimal(value)
                .round(new MathContext(digits, RoundingMode.HALF_EVEN))
                .stripTrailingZeros();
        boolean plain = value == 0 || (Math.abs(value) >= 1e-4 && Math.abs(value) < 1e9);
        return plain ? rounded.toPlainString() : rounded.toString();
    }

    /** Three digits at most, without zeros at the end. */
    public static String brief(double value) {
        return rounded(value, BRIEF);
    }

    /** Three digits, and more only where {@code value} would look like {@code other} that it differs from. */
    public static String apart(double value, double other) {
        int digits = BRIEF;
        while (digits < MOST && value != other && rounded(value, digits).equals(rounded(other, digits))) {
            digits++;
        }
        return rounded(value, digits);
    }
}
