package io.muninn.bench.paper;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Home;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import java.util.List;

/**
 * What a lock and a barrier cost by themselves, on nodes of one processor of a model.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, section 5 and figure 8.
 */
final class SyncCosts {
    private static final int LONGS_PER_PAGE = 4096 / Long.BYTES;
    private static final String MEASURED = "measured";
    private static final double NANOS_PER_MICRO = 1e3;

    private final CostModel model;

    SyncCosts(CostModel model) {
        this.model = model;
    }

    /**
     * Microseconds in which all processors acquire a lock, one after the other.
     *
     * @param fetches pages that each of them stores to in the section, which come from the root
     */
    double lockMicros(int processors, int fetches) {
        return micros(processors, true, () -> new Sections(fetches));
    }

    /**
     * Microseconds from the arrival of the last processor at a barrier until all have left it.
     *
     * @param notices pages of its own that each processor has stored to before
     */
    double barrierMicros(int processors, int notices) {
        return micros(processors, false, () -> new Notices(processors, notices));
    }

    /** A program of which a stretch is measured. */
    private interface Source {
        DsmProgram create();
    }

    private double micros(int processors, boolean isOfLock, Source source) {
        Stretch stretch = new Stretch(isOfLock);
        AppRun run =
                AppRun.of(source::create, processors).placesPages().observers(List.of(stretch));
        AppResult result = model.prepare(run, model.machine().workPicos()).run();
        if (!result.isGood()) {
            throw new IllegalStateException("what was measured is wrong: " + result.verdict());
        }
        return (stretch.endNanos - stretch.beginNanos) / NANOS_PER_MICRO;
    }

    /**
     * Of the barrier from the last arrival to the last departure, or of the lock from the first
     * departure to the last release.
     */
    private static final class Stretch implements Observer {
        private final boolean isOfLock;
        private long beginNanos;
        private long endNanos;

        Stretch(boolean isOfLock) {
            this.isOfLock = isOfLock;
        }

        @Override
        public void onArrive(SimThread thread, BarrierId barrier, int parties) {
            if (!isOfLock && barrier.name().equals(MEASURED)) {
                beginNanos = thread.node().simulation().nowNanos();
            }
        }

        @Override
        public void onDepart(SimThread thread, BarrierId barrier) {
            if (barrier.name().equals(MEASURED)) {
                endNanos = thread.node().simulation().nowNanos();
                beginNanos = isOfLock && beginNanos == 0 ? endNanos : beginNanos;
            }
        }

        @Override
        public void onRelease(SimThread thread, LockId lock) {
            endNanos = thread.node().simulation().nowNanos();
        }
    }

    /** Every processor adds to a word of each page, under a lock. */
    private static final class Sections implements DsmProgram {
        @Shared(value = Protocol.HOME_BASED, home = Home.ROOT)
        private final LongArray words;

        private final int pages;

        Sections(int pages) {
            this.pages = pages;
            words = LongArray.of(Math.max(1, pages) * LONGS_PER_PAGE);
        }

        @Override
        public void run(DsmNode node) throws InterruptedException {
            DsmLock lock = node.lock("section");
            node.barrier(MEASURED).await();
            lock.lock();
            for (int page = 0; page < pages; page++) {
                words.set(page * LONGS_PER_PAGE, words.get(page * LONGS_PER_PAGE) + 1);
            }
            lock.unlock();
        }

        @Override
        public Verdict verify(DsmNode root) {
            for (int page = 0; page < pages; page++) {
                if (words.get(page * LONGS_PER_PAGE) != root.nodes()) {
                    return Verdict.wrong("a section has not seen the one before");
                }
            }
            return Verdict.right("sections");
        }
    }

    /** Every processor stores to pages of which it is the home. */
    private static final class Notices implements DsmProgram {
        @Shared(Protocol.HOME_BASED)
        private final LongArray words;

        private final int pages;

        /**
         * @param processors that have pages
         * @param pages of each
         */
        Notices(int processors, int pages) {
            this.pages = pages;
            words = LongArray.of(Math.max(1, pages) * processors * LONGS_PER_PAGE);
        }

        @Override
        public void run(DsmNode node) throws InterruptedException {
            for (int page = node.id() * pages; page < (node.id() + 1) * pages; page++) {
                words.set(page * LONGS_PER_PAGE, node.id());
            }
            node.barrier(MEASURED).await();
        }

        @Override
        public Verdict verify(DsmNode root) {
            int last = (root.nodes() * pages - 1) * LONGS_PER_PAGE;
            return pages == 0 || words.get(last) == root.nodes() - 1
                    ? Verdict.right("notices")
                    : Verdict.wrong("the last page is " + words.get(last));
        }
    }
}
