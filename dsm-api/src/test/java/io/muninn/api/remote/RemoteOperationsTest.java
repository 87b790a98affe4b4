package io.muninn.api.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Op;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RemoteOperationsTest {
    private static final int BYTES = 256;

    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, Long.BYTES);
    private final RemoteOperations operations = new RemoteOperations();

    private byte[] perform() {
        return RemoteOperations.perform(operations.take(), memory);
    }

    private static long bits(double value) {
        return Double.doubleToRawLongBits(value);
    }

    @Test
    void eachOperation_isPerformedInOrder() {
        operations.update(WordKind.LONG, 8, Op.REPLACE, 5);
        operations.getAndUpdate(WordKind.LONG, 8, Op.SUM, 2);
        operations.compareAndExchange(WordKind.LONG, 8, 7, 70);
        operations.compareAndExchange(WordKind.LONG, 8, 7, 71);
        operations.get(WordKind.LONG, 8);
        assertEquals(4 * Long.BYTES, operations.answerBytes());
        byte[] answer = perform();
        assertEquals(5, RemoteOperations.value(answer, 0));
        assertEquals(7, RemoteOperations.value(answer, 1));
        assertEquals(70, RemoteOperations.value(answer, 2));
        assertEquals(70, RemoteOperations.value(answer, 3));
        assertTrue(operations.isEmpty());
    }

    @Test
    void everyOp_combines() {
        long[][] longs = {{0, 6}, {1, 9}, {2, 3}, {3, 6}, {4, 2}, {5, 7}, {6, 5}};
        for (long[] each : longs) {
            Op op = Op.fromCode((int) each[0]);
            for (WordKind kind : new WordKind[] {WordKind.LONG, WordKind.INT}) {
                RemoteWord.set(memory, kind, 16, 3);
                assertEquals(3, RemoteWord.getAndUpdate(memory, kind, 16, op, 6));
                assertEquals(each[1], RemoteWord.get(memory, kind, 16), op + " of " + kind);
            }
        }
        double[] doubles = {0.5, 2.0, 0.5, 1.5};
        for (int code = 0; code < doubles.length; code++) {
            RemoteWord.set(memory, WordKind.DOUBLE, 24, bits(1.5));
            RemoteWord.getAndUpdate(memory, WordKind.DOUBLE, 24, Op.fromCode(code), bits(0.5));
            assertEquals(
                    doubles[code],
                    Double.longBitsToDouble(RemoteWord.get(memory, WordKind.DOUBLE, 24)));
        }
    }

    @Test
    void ints_keepTheirSignAndTheirNeighbours() {
        operations.update(WordKind.INT, 4, Op.SUM, -3);
        operations.getAndUpdate(WordKind.INT, 4, Op.MIN, -7);
        operations.compareAndExchange(WordKind.INT, 4, -7, -8);
        byte[] answer = perform();
        assertEquals(-3, RemoteOperations.value(answer, 0));
        assertEquals(-7, RemoteOperations.value(answer, 1));
        assertEquals(0, memory.get(ValueLayout.JAVA_INT, 0));
        assertEquals(-8, memory.get(ValueLayout.JAVA_INT, 4));
        assertEquals(0, memory.get(ValueLayout.JAVA_INT, 8));
    }

    @Test
    void words_areCopiedInBothDirections() {
        long[] source = {1, 2, 3};
        operations.setWords(WordKind.LONG, 32, MemorySegment.ofArray(source));
        operations.get(WordKind.LONG, 40);
        operations.getWords(WordKind.LONG, 32, 3 * Long.BYTES);
        byte[] answer = perform();
        assertEquals(2, RemoteOperations.value(answer, 0));
        for (int i = 0; i < source.length; i++) {
            assertEquals(source[i], RemoteOperations.value(answer, 1 + i));
        }
    }

    @Test
    void wordsOutsideMemory_areRefusedBeforeAnythingIsPerformed() {
        operations.update(WordKind.LONG, 0, Op.SUM, 1);
        operations.update(WordKind.LONG, BYTES, Op.SUM, 1);
        byte[] wrong = operations.take();
        assertThrows(IllegalArgumentException.class, () -> RemoteOperations.perform(wrong, memory));
        assertEquals(0, memory.get(ValueLayout.JAVA_LONG, 0));
    }

    @Test
    void misalignedWordsAndBitsOfDoubles_areRefused() {
        operations.get(WordKind.LONG, 4);
        assertRefused();
        operations.get(WordKind.INT, 2);
        assertRefused();
        operations.get(WordKind.INT, -4);
        assertRefused();
        operations.update(WordKind.DOUBLE, 0, Op.OR, 1);
        assertRefused();
        operations.getWords(WordKind.LONG, 0, 12);
        assertRefused();
        operations.getWords(WordKind.LONG, BYTES - 8, 16);
        assertRefused();
        operations.getWords(WordKind.LONG, 0, 0);
        assertRefused();
    }

    private void assertRefused() {
        byte[] wrong = operations.take();
        assertThrows(IllegalArgumentException.class, () -> RemoteOperations.check(wrong, BYTES));
    }

    /** Bytes of strangers are refused, or name words of the memory only. */
    @Test
    void randomBytes_areRefusedOrPerformed() {
        Random random = new Random(1);
        int performed = 0;
        for (int i = 0; i < 200_000; i++) {
            byte[] bytes = mutated(random);
            int answer;
            try {
                answer = RemoteOperations.check(bytes, BYTES);
            } catch (IllegalArgumentException expected) {
                continue;
            }
            assertEquals(answer, RemoteOperations.perform(bytes, memory).length);
            performed++;
        }
        assertTrue(performed > 1000, performed + " were performed");
    }

    private byte[] mutated(Random random) {
        for (int i = random.nextInt(3); i >= 0; i--) {
            long offset = random.nextInt(BYTES / 8) * 8L;
            switch (random.nextInt(4)) {
                case 0 -> operations.get(WordKind.LONG, offset);
                case 1 -> operations.update(WordKind.INT, offset, Op.XOR, random.nextInt());
                case 2 -> operations.getWords(WordKind.INT, offset, 8);
                default ->
                        operations.setWords(
                                WordKind.LONG, offset, MemorySegment.ofArray(new long[1]));
            }
        }
        byte[] bytes = operations.take();
        if (random.nextBoolean()) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    @Test
    void take_returnsOnlyWhatWasAdded() {
        operations.get(WordKind.LONG, 8);
        byte[] first = operations.take();
        operations.get(WordKind.LONG, 8);
        assertArrayEquals(first, operations.take());
    }

    @Test
    void count_endsAtWhatIsMalformed() {
        RemoteOperations operations = new RemoteOperations();
        assertEquals(0, RemoteOperations.count(operations.take()));
        operations.get(WordKind.LONG, 8);
        operations.compareAndExchange(WordKind.INT, 4, 1, 2);
        operations.getWords(WordKind.LONG, 0, 16);
        operations.setWords(WordKind.LONG, 0, MemorySegment.ofArray(new long[] {1, 2}));
        operations.getAndUpdate(WordKind.LONG, 0, Op.SUM, 1);
        byte[] five = operations.take();
        assertEquals(5, RemoteOperations.count(five));
        assertEquals(5, RemoteOperations.count(Arrays.copyOf(five, five.length - 1)));
        operations.setWords(WordKind.LONG, 0, MemorySegment.ofArray(new long[] {1}));
        byte[] endless = operations.take();
        Arrays.fill(endless, 9, 13, (byte) 0xFF); // -1 bytes of words
        assertEquals(2, RemoteOperations.count(endless));
    }
}
