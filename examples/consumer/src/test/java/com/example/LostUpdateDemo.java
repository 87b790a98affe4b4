package com.example;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.junit.Simulated;
import io.muninn.junit.TestCluster;

/** Fails: the program has no lock. It is no *Test, so it runs only when it is named. */
class LostUpdateDemo {
    /** Every thread adds one. */
    static final class Counter implements DsmProgram {
        @Shared(Protocol.MIGRATORY)
        private final LongArray count = LongArray.of(1);

        @Override
        public void run(DsmNode node) {
            count.set(0, count.get(0) + 1);
        }

        @Override
        public Verdict verify(DsmNode root) {
            String text = count.get(0) + " of " + root.nodes();
            return count.get(0) == root.nodes() ? Verdict.right(text) : Verdict.wrong(text);
        }
    }

    @Simulated(nodes = 4, seeds = 100)
    void everyNode_isCounted(TestCluster cluster) {
        cluster.run(Counter.class);
    }
}
