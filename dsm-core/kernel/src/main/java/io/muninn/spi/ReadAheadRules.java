package io.muninn.spi;

/**
 * How far ahead of its threads a node prepares pages, if they access a region page by page, see
 * {@code docs/decisions/0036-read-ahead.md}, and how an access treats a request that was made ahead
 * and has no reply yet.
 *
 * @param pagesMax largest number of pages requested after the last fault; 0 for none
 * @param startAfter number of faults on neighbouring pages, in order, after which it begins; 1 or
 *     more
 * @param repeatsLate true if the first access to a page that the program has prefetched sends the
 *     unanswered requests for its diffs again and waits for the second replies, as on a network
 *     that may lose prefetches; false if it waits for the first ones. Lazy pages only; no option of
 *     a run. Source: Mowry, Chan, Lo, "Comparative evaluation of latency tolerance techniques for
 *     software distributed shared memory", 1998, section 3.1
 */
public record ReadAheadRules(int pagesMax, int startAfter, boolean repeatsLate) {
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

    /** Rules by which an access waits for the first replies. */
    public ReadAheadRules(int pagesMax, int startAfter) {
        this(pagesMax, startAfter, false);
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

    /** These rules with or without the repetition of late requests. */
    public ReadAheadRules withRepeatsLate(boolean repeats) {
        return new ReadAheadRules(pagesMax, startAfter, repeats);
    }
}
