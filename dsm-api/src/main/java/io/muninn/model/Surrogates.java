package io.muninn.model;

/**
 * Halves of characters. Java represents a character above U+FFFF as two of them, and permits a text
 * that contains one alone. Such a text is not Unicode text, and UTF-8 cannot represent it.
 */
public final class Surrogates {
    /** There is none. */
    public static final int NONE = -1;

    private Surrogates() {}

    /**
     * Returns the index of the first half without its other half, or {@link #NONE}.
     *
     * @param from where the search begins, 0 to the length of the text
     */
    public static int firstUnpaired(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            if (!Character.isSurrogate(text.charAt(i))) {
                continue;
            }
            if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
                return i;
            }
            i++; // its other half
        }
        return NONE;
    }
}
