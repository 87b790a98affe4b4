package io.muninn.api.reduction;

import io.muninn.api.Reduction.Operator;
import java.util.Locale;
import java.util.Optional;

/**
 * How contributions are combined. All parties of a round must use an equal combination.
 *
 * @param operator empty if only the application can combine; then the element is opaque
 * @param isArray whether a contribution is an array, whose elements are combined one by one
 * @param isFlat whether the contributions are combined in order of position, regardless of their
 *     nodes; otherwise the contributions of each node are combined first
 * @param name name and type of the application's own operator; for a piece of an array, its range
 *     of elements; otherwise empty
 */
public record Combination(
        Optional<Operator> operator,
        Element element,
        boolean isArray,
        boolean isFlat,
        String name) {
    /** Longest name, in bytes of UTF-8. */
    static final int NAME_BYTES_MAX = 300;

    /**
     * @throws IllegalArgumentException if the operator does not apply to such elements
     */
    public Combination {
        boolean isKnown =
                switch (operator.orElse(Operator.SUM)) {
                    case SUM, PRODUCT -> !element.hasIndex();
                    case MIN, MAX -> true;
                    case AND, OR, XOR -> !element.isFloating() && !element.hasIndex();
                };
        if (!isKnown || operator.isEmpty() != (element == Element.OPAQUE)) {
            throw new IllegalArgumentException(
                    "no reduction by "
                            + operator.map(Combination::word).orElse("an unknown operator")
                            + " of "
                            + element.word());
        }
    }

    /** A combination by an operator that every node knows. */
    public static Combination of(Operator operator, Element element, boolean isArray) {
        return new Combination(Optional.of(operator), element, isArray, false, "");
    }

    /**
     * A combination by the application, which receives all contributions in order of position.
     *
     * @param name identifies it in messages
     */
    public static Combination ofApplication(String name) {
        return new Combination(Optional.empty(), Element.OPAQUE, false, true, name);
    }

    public Combination flat() {
        return new Combination(operator, element, isArray, true, name);
    }

    /**
     * The combination of a range of elements of an array that is combined in several rounds.
     *
     * @param from the first element
     * @param to one past the last element
     * @param of length of the array
     */
    Combination piece(int from, int to, int of) {
        String elements = "elements " + from + " to " + to + " of " + of;
        return new Combination(operator, element, isArray, isFlat, elements);
    }

    private static String word(Operator operator) {
        return operator.name().toLowerCase(Locale.ROOT);
    }

    /** The combination in words, for messages, without the length of an array. */
    public String text() {
        return text("");
    }

    /**
     * The combination in words, for messages.
     *
     * @param bytes of a contribution
     */
    String text(int bytes) {
        return text(Integer.toString(bytes / element.bytes()));
    }

    private String text(String length) {
        if (operator.isEmpty()) {
            return name;
        }
        return (isFlat ? "reproducible " : "")
                + word(operator.get())
                + " of "
                + element.word()
                + (isArray ? "[" + length + "]" : "")
                + (name.isEmpty() ? "" : ", " + name);
    }
}
