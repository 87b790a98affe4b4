package io.muninn.bench.live;

import java.util.Random;

/**
 * Pages of a variable, in an order that is no sequence: a system that reads ahead is not to help an
 * operation that is measured alone.
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

    /** The first element of the page that comes as number {@code turn}. */
    int element(int turn) {
        return pages[turn] * PAGE_ELEMENTS;
    }
}
