package io.muninn.api.reduction;

import io.muninn.api.Reduction.Operator;
import java.util.Locale;
import java.util.Optional;

/**
 * How contributions are combined. All parties of a round have to mean the same.
 *
 * @param operator empty if only the application can combine: then the element is opaque
 * @param isArray whether a contribution is an array, whose elements are combined one by one
 * @param isFlat whether the contributions are combined in order of position, whatever their nodes;
 *     otherwise those of each node first
 * @param name of the application's own operator and type; of a piece of an array, which elements
 *     these are; empty for all others
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
     * @throws IllegalArgumentException if elements of this kind are not combined so
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

    /** By an operator that every node knows. */
    public static Combination of(Operator operator, Element element, boolean isArray) {
        return new Combination(Optional.of(operator), element, isArray, false, "");
    }

    /**
     * By the application, which gets all contributions in order of position.
     *
     * @param name tells it from others in messages
     */
    public static Combination ofApplication(String name) {
        return new Combination(Optional.empty(), Element.OPAQUE, false, true, name);
    }

    public Combination flat() {
        return new Combination(operator, element, isArray, true, name);
    }

    /**
     * Of elements of an array that is combined in several rounds.
     *
     * @param from the first element
     * @param of length of the array
     */
    Combination piece(int from, int to, int of) {
        String elements = "elements " + from + " to " + to + " of " + of;
        return new Combination(operator, element, isArray, isFlat, elements);
    }

    private static String word(Operator operator) {
        return operator.name().toLowerCase(Locale.ROOT);
    }

    /** For messages, without the length of an array. */
    public String text() {
        return text("");
    }

    /**
     * For messages.
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
