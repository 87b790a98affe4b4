package io.muninn.coherence.shared;

import io.muninn.model.PageId;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.RandomAccess;

/**
 * Pages in order, stored as runs of neighbours: a node of many keeps as many notices as there are
 * nodes, and most are of a few runs. Immutable; equal to any list of the same pages.
 */
final class PageRuns extends AbstractList<PageId> implements RandomAccess {
    private static final int FIELDS = 3; // region, first page, place in the list behind the run

    private final int[] runs;

    private PageRuns(int[] runs) {
        this.runs = runs;
    }

    static PageRuns of(List<PageId> pages) {
        if (pages instanceof PageRuns already) {
            return already;
        }
        int[] runs = new int[FIELDS * pages.size()];
        int length = 0;
        for (int i = 0; i < pages.size(); i++) {
            PageId page = pages.get(i);
            if (i == 0 || !pages.get(i - 1).isBefore(page, 1)) {
                runs[length] = page.region();
                runs[length + 1] = page.index();
                length += FIELDS;
            }
            runs[length - 1] = i + 1;
        }
        return new PageRuns(Arrays.copyOf(runs, length));
    }

    @Override
    public int size() {
        return runs.length == 0 ? 0 : runs[runs.length - 1];
    }

    private int start(int run) {
        return run == 0 ? 0 : runs[run - 1];
    }

    @Override
    public PageId get(int place) {
        if (place < 0 || place >= size()) {
            throw new IndexOutOfBoundsException(place + " of " + size() + " pages");
        }
        int run = 0;
        while (runs[run + FIELDS - 1] <= place) {
            run += FIELDS;
        }
        return new PageId(runs[run], runs[run + 1] + place - start(run));
    }

    @Override
    public Iterator<PageId> iterator() {
        return new Iterator<>() {
            private int place;
            private int run;

            @Override
            public boolean hasNext() {
                return run < runs.length;
            }

            @Override
            public PageId next() {
                if (run == runs.length) {
                    throw new NoSuchElementException();
                }
                PageId page = new PageId(runs[run], runs[run + 1] + place - start(run));
                place++;
                run += place == runs[run + FIELDS - 1] ? FIELDS : 0;
                return page;
            }
        };
    }
}
