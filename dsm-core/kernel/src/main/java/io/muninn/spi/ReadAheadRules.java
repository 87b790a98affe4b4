package io.muninn.spi;

/**
 * How far ahead of its threads a node gets pages ready, where they go through a region page by
 * page; see {@code docs/decisions/0036-read-ahead.md}.
 *
 * @param pagesMax most pages behind the last fault that are asked for; 0 asks for none
 * @param startAfter faults on neighbouring pages, in order, after which it begins; 1 or more
 */
public record ReadAheadRules(int pagesMax, int startAfter) {
    /** Pages that are asked for ahead where no number is given. */
    public static final int PAGES_MAX_USUAL = 256;

    /** Faults after which it begins, in all runs but those that test it. */
    public static final int START_USUAL = 2;

    /** Nothing is made ready ahead. */
    public static final ReadAheadRules OFF = new ReadAheadRules(0, START_USUAL);

    public ReadAheadRules {
        if (pagesMax < 0 || startAfter < 1) {
            throw new IllegalArgumentException(
                    "read-ahead of " + pagesMax + " pages after " + startAfter + " faults");
        }
    }

    /**
     * @param pages most that are asked for; 0 is {@link #OFF}
     */
    public static ReadAheadRules upTo(int pages) {
        return new ReadAheadRules(pages, START_USUAL);
    }

    /** True if pages are made ready ahead at all. */
    public boolean isOn() {
        return pagesMax > 0;
    }
}
