package io.muninn.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.muninn.model.NodeId;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AppliedDiffsTest {
    @Test
    void sameChangeOfTheSame_isShared() {
        AppliedDiffs.Sharing sharing = new AppliedDiffs.Sharing();
        AppliedDiffs first = sharing.with(AppliedDiffs.EMPTY, new NodeId(2), 5);

        assertSame(first, sharing.with(AppliedDiffs.EMPTY, new NodeId(2), 5));
    }

    @Test
    void sharingChangesNothing() {
        Random random = new Random(3);
        AppliedDiffs.Sharing sharing = new AppliedDiffs.Sharing();
        AppliedDiffs[] known = new AppliedDiffs[4];
        Arrays.fill(known, AppliedDiffs.EMPTY);
        for (int i = 0; i < 20_000; i++) {
            int at = random.nextInt(known.length);
            NodeId node = new NodeId(random.nextInt(3));
            long interval = 1 + random.nextInt(6);
            AppliedDiffs expected = known[at].with(node, interval);
            known[at] = sharing.with(known[at], node, interval);
            assertEquals(expected, known[at]);
            if (i % 100 == 0) {
                Arrays.fill(known, AppliedDiffs.EMPTY);
            }
        }
    }
}
