package io.muninn.spi;

/**
 * When a write-shared page is <i>hot</i>: it keeps its twin and its write access over releases,
 * which compare it and do not protect it. Each node may have its own rules.
 *
 * @param hotAfter a page that was dirty in so many consecutive intervals is hot from the release
 *     that ends the last of them; {@link #NEVER}: no page ever is
 * @param coldAfter a hot page that so many consecutive comparisons have found unchanged is
 *     protected at the next one, and its twin dropped
 */
public record AdaptiveTwinRules(int hotAfter, int coldAfter) {
    public static final int NEVER = Integer.MAX_VALUE;

    /**
     * The rules of a run without options. A page written in three consecutive intervals is likely
     * to be written in the next. To keep it costs 0.1 to 0.4 microseconds per release; to protect
     * it and to fault on it again costs 5 to 70. So a page written in one interval of eight is
     * worth keeping.
     */
    public static final AdaptiveTwinRules DEFAULT = new AdaptiveTwinRules(3, 8);

    /** Every release protects and compares each dirty page, and drops its twin. */
    public static final AdaptiveTwinRules OFF = new AdaptiveTwinRules(NEVER, 1);

    public AdaptiveTwinRules {
        if (hotAfter < 1 || coldAfter < 1) {
            throw new IllegalArgumentException(
                    "hot after " + hotAfter + " intervals, cold after " + coldAfter);
        }
    }

    /** The rules as text for messages. */
    public String text() {
        return hotAfter == NEVER
                ? "no hot pages"
                : "hot after " + hotAfter + ", cold after " + coldAfter;
    }
}
