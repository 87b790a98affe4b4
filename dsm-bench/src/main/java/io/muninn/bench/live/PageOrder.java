package io.muninn.bench.live;

import java.util.Random;

/**
 * A fixed random permutation of the pages of a variable, so that read-ahead does not help single
 * accesses.
 */
final class PageOrder {
    static final int PAGE_ELEMENTS = 512;

    private final int[] pages;

    PageOrder(int count) {
        pages = new int[count];
        for (int i = 0; i < count; i++) {
            pages[i] = i;
        }
        Random random = new Random(count);
        for (int i = count - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int page = pages[i];
            pages[i] = pages[other];
            pages[other] = page;
        }
    }

    int count() {
        return pages.length;
    }

    /** The index of the first element of the page at position {@code turn} of the permutation. */
    int element(int turn) {
        return pages[turn] * PAGE_ELEMENTS;
    }
}
