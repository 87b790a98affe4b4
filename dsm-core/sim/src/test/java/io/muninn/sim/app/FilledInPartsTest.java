package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.sim.Traffic;
import io.muninn.spi.NodeCounter;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who sends the pages of a read-only variable that all nodes fill, or that the root fills. */
@Timeout(60)
class FilledInPartsTest {
    private static final int NODES = 4;
    private static final int PAGES = 8; // of each band
    private static final int LENGTH = NODES * PAGES * 512;

    /** Every node loads the band of the next one. */
    private abstract static class Reading implements DsmProgram {
        @Shared(Protocol.READ_ONLY)
        final LongArray input = LongArray.of(LENGTH);

        final void fill(Band part) {
            for (int i = part.from(); i < part.to(); i++) {
                input.set(i, 5L * i);
            }
        }

        @Override
        public void run(DsmNode node) {
            Band next = Band.of(LENGTH, (node.id() + 1) % NODES, NODES);
            for (int i = next.from(); i < next.to(); i++) {
                assertEquals(5L * i, input.get(i));
            }
        }
    }

    private static final class ByRoot extends Reading {
        @Override
        public void initialize(DsmNode root) {
            fill(new Band(0, LENGTH));
        }
    }

    private static final class ByAll extends Reading {
        @Override
        public void initializePart(DsmNode node) {
            fill(node.band(LENGTH));
        }
    }

    private static AppResult run(Supplier<DsmProgram> program) {
        AppResult result = AppRun.of(program, NODES).run();
        assertEquals(List.of(), result.failure().stream().toList());
        return result;
    }

    private static List<Long> sent(AppResult result) {
        return result.nodes().stream().map(node -> node.value(NodeCounter.PAGES_SENT)).toList();
    }

    @Test
    void pagesThatTheRootFills_areSentByTheRoot() {
        assertEquals(List.of(3L * PAGES, 0L, 0L, 0L), sent(run(ByRoot::new)));
    }

    @Test
    void pagesThatAllFill_areSentByTheirHomesAfterTwoShortMessages() {
        AppResult result = run(ByAll::new);

        long pages = PAGES;
        // of the root, also base-replies, which have no content: it has stored to none of the pages
        assertEquals(List.of(4 * pages, pages, pages, pages), sent(result));
        Traffic.Sent requests = result.byKind().get("base-request");
        Traffic.Sent replies = result.byKind().get("base-reply");
        assertEquals(3L * PAGES, requests.messages());
        assertEquals(3L * PAGES, replies.messages());
        assertTrue(requests.bytes() + replies.bytes() < 2 * 3 * PAGES * 32, result::toString);
    }
}
