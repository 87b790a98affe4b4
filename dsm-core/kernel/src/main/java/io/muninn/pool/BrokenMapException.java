package io.muninn.pool;

import java.util.OptionalInt;

/**
 * A word of a coherent map has a value that no operation leaves: something else has stored to the
 * memory of the map.
 */
public final class BrokenMapException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int NO_PAGE = -1;

    private final int page;

    private BrokenMapException(int page, String message) {
        super(message);
        this.page = page;
    }

    /**
     * @param word its name
     */
    static BrokenMapException ofPage(int page, String word, long value, String reason) {
        return new BrokenMapException(page, text("word '" + word + "'", value, reason));
    }

    /**
     * @param list its name
     * @param index of the word in its part of the list
     */
    static BrokenMapException ofList(
            String list, String part, int index, long value, String reason) {
        String word = "word " + index + " of the " + part + " of " + list;
        return new BrokenMapException(NO_PAGE, text(word, value, reason));
    }

    private static String text(String word, long value, String reason) {
        return word + " of the pool is 0x" + Long.toHexString(value) + ", " + reason;
    }

    /** The page that the word is about; empty for a part of a weak list. */
    public OptionalInt page() {
        return page == NO_PAGE ? OptionalInt.empty() : OptionalInt.of(page);
    }
}
