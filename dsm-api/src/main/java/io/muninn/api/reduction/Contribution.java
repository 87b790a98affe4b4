package io.muninn.api.reduction;

import io.muninn.api.Reduction.Operator;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The contribution of one thread to a reduction, or of all threads of a node together.
 *
 * <p>Encoded: operator u8, 0 for the application's own; element u8; flags u8, 1 for an array and 2
 * for a flat combination; name u16 length and UTF-8; then the value, little-endian.
 *
 * @param value the elements without padding; must not be modified
 */
public record Contribution(Combination combination, byte[] value) {
    private static final int ARRAY = 1;
    private static final int FLAT = 2;
    private static final int HEADER_BYTES = 5;
    private static final List<Operator> OPERATORS = List.of(Operator.values());
    private static final List<Element> ELEMENTS = List.of(Element.values());

    /**
     * @throws IllegalArgumentException if the length of the value does not match the combination
     */
    public Contribution {
        int bytes = combination.element().bytes();
        boolean isWhole = value.length % bytes == 0;
        boolean isOne = combination.isArray() || combination.operator().isEmpty();
        if (!isWhole || !isOne && value.length != bytes) {
            throw new IllegalArgumentException(
                    value.length + " bytes are no contribution to a " + combination.text());
        }
    }

    /** The combination and the length, for messages. */
    public String text() {
        return combination.text(value.length);
    }

    /**
     * Splits the contribution into pieces, each for a round of its own. The concatenated results of
     * the pieces are the result of the whole.
     *
     * @param bytesMax largest length of a piece, at least one element
     */
    public List<Contribution> pieces(int bytesMax) {
        if (!combination.isArray() || value.length <= bytesMax) {
            return List.of(this);
        }
        int bytes = combination.element().bytes();
        int step = bytesMax / bytes * bytes;
        List<Contribution> pieces = new ArrayList<>();
        for (int from = 0; from < value.length; from += step) {
            int to = Math.min(value.length, from + step);
            pieces.add(
                    new Contribution(
                            combination.piece(from / bytes, to / bytes, value.length / bytes),
                            Arrays.copyOfRange(value, from, to)));
        }
        return pieces;
    }

    /** True if both can be combined with each other. */
    public boolean fits(Contribution other) {
        return combination.equals(other.combination)
                && (combination.operator().isEmpty() || value.length == other.value.length);
    }

    /**
     * Combines the contributions of all threads of a node, if this is permitted before those of
     * other nodes are known.
     *
     * @param ofThreads in order of thread, at least one
     */
    public static Optional<Contribution> ofNode(List<Contribution> ofThreads) {
        Contribution first = ofThreads.getFirst();
        boolean mayCombine =
                !first.combination.isFlat() && ofThreads.stream().allMatch(first::fits);
        return mayCombine ? Optional.of(combined(ofThreads)) : Optional.empty();
    }

    /**
     * Combines contributions from left to right.
     *
     * @throws IllegalArgumentException if they do not fit each other
     */
    public static Contribution combined(List<Contribution> inOrder) {
        Contribution first = inOrder.getFirst();
        for (Contribution each : inOrder) {
            if (!first.fits(each)) {
                throw new IllegalArgumentException(
                        "a " + each.text() + " cannot be combined with a " + first.text());
            }
        }
        if (inOrder.size() == 1) {
            return first;
        }
        Operator operator = first.combination.operator().orElseThrow();
        List<byte[]> values = inOrder.stream().map(Contribution::value).toList();
        return new Contribution(
                first.combination,
                Arithmetic.combined(operator, first.combination.element(), values));
    }

    /** The combination, and the value in hexadecimal. */
    @Override
    public String toString() {
        return text() + " " + HexFormat.of().formatHex(value);
    }

    public byte[] encode() {
        byte[] name = combination.name().getBytes(StandardCharsets.UTF_8);
        ByteBuffer out =
                ByteBuffer.allocate(HEADER_BYTES + name.length + value.length)
                        .order(ByteOrder.LITTLE_ENDIAN);
        int operator = combination.operator().map(each -> OPERATORS.indexOf(each) + 1).orElse(0);
        int flags = (combination.isArray() ? ARRAY : 0) + (combination.isFlat() ? FLAT : 0);
        out.put((byte) operator).put((byte) ELEMENTS.indexOf(combination.element()));
        out.put((byte) flags).putShort((short) name.length).put(name).put(value);
        return out.array();
    }

    /**
     * @throws IllegalArgumentException if the bytes are no contribution
     */
    public static Contribution decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        try {
            int operator = in.get();
            int element = in.get();
            int flags = in.get();
            byte[] name = new byte[in.getShort() & 0xFFFF];
            in.get(name);
            byte[] value = new byte[in.remaining()];
            in.get(value);
            if (operator < 0
                    || operator > OPERATORS.size()
                    || element < 0
                    || element >= ELEMENTS.size()
                    || (flags & ~(ARRAY + FLAT)) != 0
                    || name.length > Combination.NAME_BYTES_MAX) {
                throw malformed(bytes);
            }
            Combination combination =
                    new Combination(
                            operator == 0
                                    ? Optional.empty()
                                    : Optional.of(OPERATORS.get(operator - 1)),
                            ELEMENTS.get(element),
                            (flags & ARRAY) != 0,
                            (flags & FLAT) != 0,
                            new String(name, StandardCharsets.UTF_8));
            return new Contribution(combination, value);
        } catch (BufferUnderflowException cutShort) {
            throw malformed(bytes);
        }
    }

    private static IllegalArgumentException malformed(byte[] bytes) {
        return new IllegalArgumentException(bytes.length + " bytes are no contribution");
    }
}
