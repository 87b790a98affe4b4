package io.muninn.apps.falseshare;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;

/**
 * Threads store to disjoint elements of the same pages: element {@code i} belongs to position
 * {@code i % positions}. In each round a thread adds its number to all its elements; after a
 * barrier it checks the elements of the next position. Write-shared pages are fetched once, and
 * afterwards only diffs are sent. A single-writer protocol moves every page in every round.
 */
public final class FalseShareProgram implements DsmProgram {
    private static final int PAGE_ELEMENTS = 1024;

    @Shared(Protocol.WRITE_SHARED)
    private final IntArray elements;

    private final int rounds;

    /**
     * @param rounds number of stores to every element, 0 or more
     * @param pages number of pages of 4 KiB, at least 1
     */
    public FalseShareProgram(int rounds, int pages) {
        this.rounds = rounds;
        elements = IntArray.of(pages * PAGE_ELEMENTS);
    }

    @Override
    public void run(DsmNode node) {
        int positions = node.positions();
        int mine = node.position();
        int next = (mine + 1) % positions;
        DsmBarrier written = node.barrier("written");
        DsmBarrier read = node.barrier("read");
        for (int round = 1; round <= rounds; round++) {
            add(mine, positions);
            node.work(elements.length() / positions);
            written.await();
            check(next, positions, round);
            read.await();
        }
    }

    private void add(int mine, int positions) {
        int length = elements.length();
        for (int i = mine; i < length; i += positions) {
            elements.set(i, elements.get(i) + mine + 1);
        }
    }

    private void check(int owner, int positions, int round) {
        int length = elements.length();
        int expected = (owner + 1) * round;
        for (int i = owner; i < length; i += positions) {
            int actual = elements.get(i);
            if (actual != expected) {
                throw new IllegalStateException(
                        "round "
                                + round
                                + ": element "
                                + i
                                + " is "
                                + actual
                                + ", not "
                                + expected);
            }
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        int positions = root.positions();
        for (int i = 0; i < elements.length(); i++) {
            int expected = (i % positions + 1) * rounds;
            if (elements.get(i) != expected) {
                return Verdict.wrong(
                        "element " + i + " is " + elements.get(i) + ", not " + expected);
            }
        }
        return Verdict.right(
                elements.length() + " elements hold the sums of " + rounds + " rounds");
    }
}
