package io.muninn.verify.bugs;

import java.util.Set;

/**
 * A bug that is put into a copy of one source file, to see whether the simulator finds it.
 *
 * @param name in words with hyphens
 * @param what the mistake, for a person
 * @param file below the folder of packages, as in {@code sync/LockManager.java}
 * @param look where and how it is looked for
 * @param program of the corpus in which it is looked for; empty for other looks
 * @param right text that occurs in the file exactly once
 * @param wrong what stands there instead
 */
record SeededBug(
        String name,
        String what,
        String file,
        Look look,
        String program,
        String right,
        String wrong) {
    /** Where and how a bug is looked for. */
    enum Look {
        /** In the first trial of each seed, by what it does to threads, pages and tokens. */
        USUAL(""),
        /** In the first trial, by all checkers: also by what messages say and nodes know. */
        CLOSE(" (close)"),
        /** In a program of the corpus, by what it does to threads, pages and tokens. */
        CORPUS(" (corpus)"),
        /** In a program of the corpus, by all checkers. */
        CLOSE_CORPUS(" (close corpus)"),
        /** In the second trial of each seed, by all checkers. */
        WAITS(" (waits)"),
        /** In the third trial of each seed, by all checkers. */
        LIMITS(" (limits)"),
        /** In the fourth trial of each seed, by all checkers. */
        POLLING(" (polling)"),
        /** In trials of pages with homes only, by what it does to threads, pages and tokens. */
        HOMES(" (homes)"),
        /** In the fifth trial of each seed, by all checkers. */
        PROCESSORS(" (processors)"),
        /** In the fifth trial under a protocol that keeps diffs, by all checkers. */
        KEPT_DIFFS_PROCESSORS(" (processors, kept diffs)"),
        /** In the sixth trial of each seed, by all checkers. */
        REDUCTIONS(" (reductions)"),
        /** In the first trial of each seed under a protocol that keeps diffs, by all checkers. */
        KEPT_DIFFS(" (kept diffs)"),
        /** Likewise of lazy pages with one writer. */
        SINGLE_WRITERS(" (single writers)"),
        /** Likewise of pages whose diffs are pushed. */
        PUSHES(" (pushes)"),

        /** In the eighth trial of each seed, by all checkers, under protocols by turns. */
        MESSAGES(" (messages)"),
        /** In trials of pages that are on one node at a time, by all checkers. */
        ONE_COPY(" (one copy)"),
        /** In trials of pages with one writer or many readers, by all checkers. */
        EXCLUSIVE_COPIES(" (exclusive copies)"),
        /** In the transcripts of lazy and conventional pages, by what threads load. */
        TRANSCRIPTS(" (transcripts)"),
        /** In trials of lazy pages, of three kinds by turns, by all checkers. */
        CARGO(" (cargo)"),
        /** Likewise, then in the first trial of home-based pages. */
        COLLECTIONS(" (collections)");

        final String mark;

        Look(String mark) {
            this.mark = mark;
        }
    }

    private static final Set<String> RACES =
            Set.of(
                    "coherence/writeshared/RaceChecks.java",
                    "kernel/CargoLoader.java",
                    "spi/LogicalClock.java");

    /** True if it shows only where kernels look for races. */
    boolean needsRaceChecks() {
        return RACES.contains(file);
    }

    @Override
    public String toString() {
        return name;
    }
}
