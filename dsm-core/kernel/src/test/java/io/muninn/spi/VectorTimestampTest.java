package io.muninn.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import io.muninn.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Timestamps of clusters of few and of many nodes, which are stored differently. */
class VectorTimestampTest {
    private static final int OPERATIONS = 2_000;
    private static final int KEPT = 12;

    /** A timestamp, and what it has to be. */
    private record Pair(VectorTimestamp timestamp, long[] intervals) {}

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 65, 1024})
    void operations_areThoseOfArrays(int nodes) {
        Random random = new Random(nodes);
        List<Pair> pairs = new ArrayList<>();
        pairs.add(new Pair(VectorTimestamp.zero(nodes), new long[nodes]));
        for (int i = 0; i < OPERATIONS; i++) {
            Pair one = pairs.get(random.nextInt(pairs.size()));
            Pair other = pairs.get(random.nextInt(pairs.size()));
            Pair made = made(one, other, nodes, random);
            compare(made, one);
            compare(made, other);
            pairs.add(made);
            if (pairs.size() > KEPT) {
                pairs.remove(random.nextInt(pairs.size()));
            }
        }
    }

    private static Pair made(Pair one, Pair other, int nodes, Random random) {
        long[] made = one.intervals().clone();
        VectorTimestamp timestamp = one.timestamp();
        switch (random.nextInt(6)) {
            case 0 -> { // another interval of each node
                for (int i = 0; i < nodes; i++) {
                    made[i] += random.nextInt(2);
                    timestamp = timestamp.with(NodeId.of(i), made[i]);
                }
            }
            case 1 -> {
                for (int i = 0; i < nodes; i++) {
                    made[i] = Math.max(made[i], other.intervals()[i]);
                }
                timestamp = timestamp.join(other.timestamp());
            }
            case 2 -> timestamp = timestamp.like(other.timestamp());
            default -> { // of some nodes, perhaps back to that of the other
                for (int i = 0; i < 3; i++) {
                    int node = random.nextInt(nodes);
                    made[node] = random.nextBoolean() ? other.intervals()[node] : random.nextInt(9);
                    timestamp = timestamp.with(NodeId.of(node), made[node]);
                }
            }
        }
        return new Pair(timestamp, made);
    }

    private static void compare(Pair one, Pair other) {
        VectorTimestamp timestamp = one.timestamp();
        long[] expected = one.intervals();
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], timestamp.of(NodeId.of(i)));
        }
        assertEquals(Arrays.stream(expected).sum(), timestamp.count());
        assertEquals(Arrays.toString(expected), timestamp.toString());
        assertEquals(isCovered(other.intervals(), expected), timestamp.covers(other.timestamp()));
        boolean areEqual = Arrays.equals(expected, other.intervals());
        assertEquals(areEqual, timestamp.equals(other.timestamp()));
        if (areEqual) {
            assertEquals(timestamp.hashCode(), other.timestamp().hashCode());
        }
        ByteWriter out = new ByteWriter();
        timestamp.encode(out);
        assertEquals(timestamp, VectorTimestamp.decode(new ByteReader(out.toArray())));
        ByteWriter behind = new ByteWriter();
        timestamp.encodeBehind(other.timestamp(), behind);
        ByteReader in = new ByteReader(behind.toArray());
        assertEquals(timestamp, VectorTimestamp.decodeBehind(other.timestamp(), in));
        assertEquals(0, in.remaining());
    }

    private static boolean isCovered(long[] covered, long[] by) {
        for (int i = 0; i < by.length; i++) {
            if (covered[i] > by[i]) {
                return false;
            }
        }
        return true;
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1024})
    void timestampBehindASimilarOne_takesFewBytes(int nodes) {
        VectorTimestamp before = VectorTimestamp.zero(nodes);
        for (int i = 0; i < nodes; i++) {
            before = before.with(NodeId.of(i), 7);
        }
        VectorTimestamp behind = before.with(NodeId.of(nodes - 1), 8).with(NodeId.ROOT, 9);
        ByteWriter out = new ByteWriter();
        behind.encodeBehind(before, out);
        assertTrue(out.toArray().length <= 6, out.toArray().length + " bytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 99, 101})
    void differencesThatNobodyWrites_areMalformed(int count) {
        VectorTimestamp before = VectorTimestamp.zero(100);
        byte[] bytes = new byte[200];
        bytes[0] = (byte) count;
        ByteReader in = new ByteReader(bytes);
        assertThrows(
                MalformedMessageException.class, () -> VectorTimestamp.decodeBehind(before, in));
        ByteReader ofNobody = new ByteReader(new byte[] {1, 100, 5});
        assertThrows(
                MalformedMessageException.class,
                () -> VectorTimestamp.decodeBehind(before, ofNobody));
    }
}
