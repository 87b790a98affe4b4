package io.muninn.spi;

/**
 * How far ahead of its threads a node prepares pages, if they access a region page by page; see
 * {@code docs/decisions/0036-read-ahead.md}.
 *
 * @param pagesMax largest number of pages requested after the last fault; 0 for none
 * @param startAfter number of faults on neighbouring pages, in order, after which it begins; 1 or
 *     more
 */
public record ReadAheadRules(int pagesMax, int startAfter) {
    /** Default number of pages that are requested ahead. */
    public static final int PAGES_MAX_USUAL = 256;

    /** Number of faults after which it begins, in all runs except those that test it. */
    public static final int START_USUAL = 2;

    /** No page is prepared ahead. */
    public static final ReadAheadRules OFF = new ReadAheadRules(0, START_USUAL);

    public ReadAheadRules {
        if (pagesMax < 0 || startAfter < 1) {
            throw new IllegalArgumentException(
                    "read-ahead of " + pagesMax + " pages after " + startAfter + " faults");
        }
    }

    /**
     * @param pages largest number of pages requested; 0 is {@link #OFF}
     */
    public static ReadAheadRules upTo(int pages) {
        return new ReadAheadRules(pages, START_USUAL);
    }

    /** True if pages are prepared ahead at all. */
    public boolean isOn() {
        return pagesMax > 0;
    }
}
