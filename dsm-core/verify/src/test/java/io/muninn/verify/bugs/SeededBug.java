package io.muninn.verify.bugs;

import java.util.Set;

/**
 * A bug that is inserted into a copy of one source file, to check that the simulator finds it.
 *
 * @param name in words with hyphens
 * @param what describes the mistake
 * @param file below the folder of packages, as in {@code sync/LockManager.java}
 * @param look the trials and checkers that search for it
 * @param program the name of a program of the corpus; empty unless its trials search for it
 * @param right text that occurs in the file exactly once
 * @param wrong the text that replaces it
 */
record SeededBug(
        String name,
        String what,
        String file,
        Look look,
        String program,
        String right,
        String wrong) {
    /** The trials and checkers that search for a bug. */
    enum Look {
        /** In the first trial of each seed, by its effect on threads, pages and tokens. */
        USUAL(""),
        /**
         * In the first trial, by all checkers, also by those of messages and of the state of nodes.
         */
        CLOSE(" (close)"),
        /** In a program of the corpus, by its effect on threads, pages and tokens. */
        CORPUS(" (corpus)"),
        /** In a program of the corpus, by all checkers. */
        CLOSE_CORPUS(" (close corpus)"),
        /** In the second trial of each seed, by all checkers. */
        WAITS(" (waits)"),
        /** In the third trial of each seed, by all checkers. */
        LIMITS(" (limits)"),
        /** In the fourth trial of each seed, by all checkers. */
        POLLING(" (polling)"),
        /** In trials of pages with homes only, by its effect on threads, pages and tokens. */
        HOMES(" (homes)"),
        /** In the fifth trial of each seed, by all checkers. */
        PROCESSORS(" (processors)"),
        /** In the fifth trial under a protocol that keeps diffs, by all checkers. */
        KEPT_DIFFS_PROCESSORS(" (processors, kept diffs)"),
        /** In the sixth trial of each seed, by all checkers. */
        REDUCTIONS(" (reductions)"),
        /** In the first trial of each seed under a protocol that keeps diffs, by all checkers. */
        KEPT_DIFFS(" (kept diffs)"),
        /** In the first trial under lazy pages with one writer, by all checkers. */
        SINGLE_WRITERS(" (single writers)"),
        /** In the first trial under pages whose diffs are pushed, by all checkers. */
        PUSHES(" (pushes)"),

        /** In the eighth trial of each seed, by all checkers, under each protocol in turn. */
        MESSAGES(" (messages)"),
        /** In trials of pages that are on one node at a time, by all checkers. */
        ONE_COPY(" (one copy)"),
        /** In trials of pages with one writer or many readers, by all checkers. */
        EXCLUSIVE_COPIES(" (exclusive copies)"),
        /** In the transcripts of lazy and conventional pages, by the values that threads load. */
        TRANSCRIPTS(" (transcripts)"),
        /** In trials of lazy pages, of three kinds in turn, by all checkers. */
        CARGO(" (cargo)"),
        /** In trials of lazy pages as before, then in the first trial of home-based pages. */
        COLLECTIONS(" (collections)"),
        /** In the ninth trial under pages of which each process has a view, by all checkers. */
        VIEWS(" (views)"),
        /** In the ninth trial of each seed, by all checkers: nodes have several processes. */
        SIBLINGS(" (siblings)"),
        /** In the tenth trial of each seed, by all checkers: threads use reader-writer locks. */
        PERMISSIONS(" (permissions)"),
        /** In the tenth trial under a protocol that keeps diffs, by all checkers. */
        LAZY_PERMISSIONS(" (lazy permissions)"),
        /** In the tenth trial under pages of which each process has a view, by all checkers. */
        VIEWED_PERMISSIONS(" (viewed permissions)"),
        /** In the eleventh trial of each seed, by all checkers: threads use remote words. */
        REMOTES(" (remotes)"),
        /** In the twelfth trial of each seed, by all checkers: connections are cut. */
        CUTS(" (cuts)"),
        /**
         * In trials of pages with notices on weak lists, of four kinds in turn, by all checkers.
         */
        WEAK(" (weak)"),
        /** In trials of weak pages over a pool, of three kinds in turn, by all checkers. */
        POOLED(" (pooled)"),
        /** The same with the nodes on several hosts. */
        POOLED_HOSTS(" (pooled, hosts)"),
        /** In the programs of the model of a pool; the first is the first seed. */
        POOL(" (pool)");

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

    /** True if it has an effect only if kernels check for races. */
    boolean needsRaceChecks() {
        return RACES.contains(file);
    }

    @Override
    public String toString() {
        return name;
    }
}
