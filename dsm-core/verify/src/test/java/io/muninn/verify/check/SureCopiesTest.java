package io.muninn.verify.check;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.directory.DatedCopyset;
import io.muninn.model.NodeId;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SureCopiesTest {
    private static final int SEEDS = 400;
    private static final int CHANGES = 30;

    @Test
    void holdersThatAreConnected_reachEachOtherByCopysetClosure() {
        int connected = 0;
        int others = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int nodes = 2 + random.nextInt(seed % 2 == 0 ? 5 : 100);
            SureCopies sure = new SureCopies(nodes);
            DatedCopyset[] known = new DatedCopyset[nodes];
            for (int i = 0; i < nodes; i++) {
                known[i] = DatedCopyset.EMPTY.with(NodeId.of(0), 0);
            }
            for (int i = 0; i < CHANGES; i++) {
                change(random, known);
                BitSet holders = some(random, nodes);
                for (int j = 0; j < nodes; j++) {
                    sure.update(j, known[j]);
                }
                if (sure.connect(holders)) {
                    connected++;
                    holders.stream().forEach(from -> assertReaches(from, holders, known));
                } else {
                    others++;
                }
            }
        }
        assertTrue(connected > SEEDS && others > SEEDS, connected + " and " + others);
    }

    private static void change(Random random, DatedCopyset[] known) {
        NodeId node = NodeId.of(random.nextInt(known.length));
        int at = random.nextInt(known.length);
        known[at] =
                switch (random.nextInt(4)) {
                    case 0 -> known[at].end(node);
                    case 1 -> known[at].with(node, known[at].ended(node));
                    default -> known[at].merge(known[node.index()]);
                };
        known[0] = random.nextInt(3) == 0 ? known[0].merge(known[at]) : known[0];
    }

    private static BitSet some(Random random, int nodes) {
        BitSet some = new BitSet();
        random.ints(random.nextInt(4), 0, nodes).forEach(some::set);
        some.set(0);
        return some;
    }

    /** By asking each known node, in any order. */
    private static void assertReaches(int from, BitSet holders, DatedCopyset[] known) {
        BitSet left = (BitSet) holders.clone();
        BitSet asked = new BitSet();
        DatedCopyset learnt = known[from];
        int next = from;
        while (next >= 0 && !left.isEmpty()) {
            asked.set(next);
            left.clear(next);
            learnt = learnt.merge(known[next]);
            BitSet more = ClusterView.without(ClusterView.nodes(learnt.nodes()), asked);
            next = more.nextSetBit(0);
        }
        assertTrue(left.isEmpty(), () -> from + " does not reach " + left);
    }
}
