package io.muninn.diff;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.ForeignBytes;
import io.muninn.nativefault.FaultEngine;
import io.muninn.nativefault.NativeDiff;
import io.muninn.nativefault.VectorDiff;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares with a plain oracle, and byte for byte with the native engine. */
class DiffTest {
    private static final int ROUNDS = 100;
    private static final int PAGE = 4096;
    private static final int EBADMSG = 74;

    /** The obviously correct encoder. */
    private static byte[] oracle(byte[] page, byte[] twin, int granule) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int granules = page.length / granule;
        int behind = 0;
        for (int i = 0; i < granules; ) {
            int end = i;
            while (end < granules && end - i < 65535 && differs(page, twin, end, granule)) {
                end++;
            }
            if (end == i) {
                i++;
                continue;
            }
            for (int value : new int[] {i - behind, end - i}) {
                out.write(value);
                out.write(value >> 8);
            }
            out.write(page, i * granule, (end - i) * granule);
            behind = i = end;
        }
        return out.toByteArray();
    }

    private static boolean differs(byte[] page, byte[] twin, int index, int granule) {
        int from = index * granule;
        return !Arrays.equals(page, from, from + granule, twin, from, from + granule);
    }

    /** A page with a few, many or no changes; some of them change nothing. */
    private static byte[] changed(byte[] original, SplittableRandom random) {
        byte[] page = original.clone();
        int changes = random.nextInt(8) == 0 ? page.length : random.nextInt(60);
        for (int i = 0; i < changes; i++) {
            int from = random.nextInt(page.length);
            int to = Math.min(page.length, from + 1 + random.nextInt(1 + random.nextInt(100)));
            for (int j = from; j < to; j++) {
                page[j] = (byte) random.nextInt();
            }
        }
        return page;
    }

    private static byte[] random(int bytes, SplittableRandom random) {
        byte[] page = new byte[bytes];
        random.nextBytes(page);
        return page;
    }

    private static MemorySegment copy(byte[] bytes) {
        return MemorySegment.ofArray(bytes.clone());
    }

    @ParameterizedTest
    @CsvSource({"64,1", "64,8", "4096,1", "4096,2", "4096,4", "4096,8", "65536,1", "65536,8"})
    void randomPages_encodeAndApplyAsTheOracleDoes(int bytes, int granule) {
        SplittableRandom random = new SplittableRandom(bytes + granule);
        int overlaps = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] before = random(bytes, random);
            byte[] after = changed(before, random);
            byte[] local = changed(before, random);
            MemorySegment twin = copy(before);

            Diff diff = Diff.of(copy(after), twin, granule);

            assertArrayEquals(oracle(after, before, granule), diff.bytes());
            MemorySegment runs = MemorySegment.ofArray(diff.bytes());
            MemorySegment bare = copy(local);
            assertEquals(0, Diff.apply(runs, bare, granule));
            MemorySegment page = copy(local);
            int overlap = Diff.apply(runs, page, twin, granule);
            int changes = 0;
            int both = 0;
            byte[] merged = local.clone();
            byte[] overwritten = local.clone();
            for (int i = 0; i < bytes / granule; i++) {
                if (differs(after, before, i, granule)) {
                    changes++;
                    System.arraycopy(after, i * granule, overwritten, i * granule, granule);
                    if (differs(local, before, i, granule)) {
                        both++;
                    } else {
                        System.arraycopy(after, i * granule, merged, i * granule, granule);
                    }
                }
            }
            assertEquals(changes, diff.granules());
            assertEquals(both, overlap);
            assertArrayEquals(merged, page.toArray(JAVA_BYTE));
            assertArrayEquals(overwritten, bare.toArray(JAVA_BYTE));
            assertArrayEquals(after, twin.toArray(JAVA_BYTE));
            overlaps += overlap;
        }
        assertTrue(overlaps > ROUNDS, overlaps + " overlaps");
    }

    @ParameterizedTest
    @CsvSource({"64,1", "4096,1", "4096,2", "4096,4", "4096,8", "65536,1", "65536,2", "65536,8"})
    void randomPages_encodeAndApplyAsTheNativeEngineDoes(int bytes, int granule) {
        SplittableRandom random = new SplittableRandom(bytes + granule);
        try (Arena arena = Arena.ofConfined()) {
            List<VectorDiff> kernels =
                    Arrays.stream(VectorDiff.values()).filter(VectorDiff::runsHere).toList();
            MemorySegment out = arena.allocate(FaultEngine.diffBytesMax(bytes, granule));
            MemorySegment page = arena.allocate(bytes, 16);
            MemorySegment twin = arena.allocate(bytes, 16);
            for (int round = 0; round < ROUNDS; round++) {
                byte[] before = random(bytes, random);
                byte[] local = changed(before, random);
                page.copyFrom(MemorySegment.ofArray(changed(before, random)));
                twin.copyFrom(MemorySegment.ofArray(before));

                Diff diff = Diff.of(page, twin, granule);

                MemorySegment runs = MemorySegment.NULL;
                for (VectorDiff kernel : kernels) {
                    long expected = NativeDiff.encode(kernel, page, twin, granule, out);
                    runs = out.asSlice(0, FaultEngine.diffBytes(expected));
                    assertEquals(FaultEngine.diffGranules(expected), diff.granules());
                    assertArrayEquals(runs.toArray(JAVA_BYTE), diff.bytes());
                }
                page.copyFrom(MemorySegment.ofArray(local));
                MemorySegment otherPage = copy(local);
                MemorySegment otherTwin = copy(before);
                assertEquals(
                        NativeDiff.apply(runs, page, twin, granule),
                        Diff.apply(runs, otherPage, otherTwin, granule));
                assertEquals(-1, page.mismatch(otherPage));
                assertEquals(-1, twin.mismatch(otherTwin));
            }
        }
    }

    /** Whole, cut off somewhere, or with another byte near its start. */
    private static byte[] damaged(byte[] diff, SplittableRandom random) {
        switch (random.nextInt(3)) {
            case 0 -> {
                return diff;
            }
            case 1 -> {
                return Arrays.copyOf(diff, random.nextInt(diff.length + 1));
            }
            default -> {
                byte[] other = diff.clone();
                if (other.length > 0) {
                    other[random.nextInt(Math.min(8, other.length))] = (byte) random.nextInt();
                }
                return other;
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "4", "8"})
    void damagedDiffs_areRefusedWhenTheNativeEngineDoesAndChangeNothing(int granule) {
        damage(granule, 2_000);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"1", "2", "4", "8"})
    void aMillionDamagedDiffs_areRefusedAndChangeNothing(int granule) {
        damage(granule, ForeignBytes.MANY / 4);
    }

    private static void damage(int granule, int rounds) {
        SplittableRandom random = new SplittableRandom(granule);
        byte[] before = random(PAGE, random);
        int refused = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(FaultEngine.diffBytesMax(PAGE, granule));
            MemorySegment page = arena.allocate(PAGE, 16);
            MemorySegment twin = arena.allocate(PAGE, 16);
            for (int round = 0; round < rounds; round++) {
                byte[] bytes = damaged(oracle(changed(before, random), before, granule), random);
                MemorySegment diff = buffer.asSlice(0, bytes.length);
                diff.copyFrom(MemorySegment.ofArray(bytes));
                page.copyFrom(MemorySegment.ofArray(before));
                twin.copyFrom(MemorySegment.ofArray(before));
                MemorySegment otherPage = copy(before);
                MemorySegment otherTwin = copy(before);

                if (NativeDiff.apply(diff, page, twin, granule) == -EBADMSG) {
                    refused++;
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> Diff.apply(diff, otherPage, granule));
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> Diff.apply(diff, otherPage, otherTwin, granule));
                } else {
                    Diff.apply(diff, otherPage, otherTwin, granule);
                }
                assertEquals(-1, otherPage.mismatch(page));
                assertEquals(-1, otherTwin.mismatch(twin));
            }
        }
        assertTrue(refused > rounds / 10 && refused < rounds * 9 / 10, refused + " refused");
    }

    @Test
    void malformedDiffs_sayWhatIsWrong() {
        MemorySegment page = copy(new byte[64]);
        byte[][] diffs = {{0, 0, 1}, {0, 0, 0, 0}, {7, 0, 2, 0}, {9, 0, 1, 0}, {0, 0, 1, 0, 5}};
        String[] texts = {
            "malformed diff: the header of a run is cut off at byte 0",
            "malformed diff: a run of 0 granules from 0 of 8",
            "malformed diff: a run of 2 granules from 7 of 8",
            "malformed diff: a run of 1 granules from 9 of 8",
            "malformed diff: the granules of a run are cut off, from byte 4"
        };
        for (int i = 0; i < diffs.length; i++) {
            MemorySegment diff = MemorySegment.ofArray(diffs[i]);
            assertEquals(
                    texts[i],
                    assertThrows(
                                    IllegalArgumentException.class,
                                    () -> Diff.apply(diff, page, Long.BYTES))
                            .getMessage());
        }
    }

    @Test
    void everyByteOfALargePage_isTwoRuns() {
        byte[] page = new byte[1 << 16];
        Arrays.fill(page, (byte) 1);

        Diff diff = Diff.of(copy(page), copy(new byte[1 << 16]), 1);

        assertEquals(1 << 16, diff.granules());
        assertEquals((1 << 16) + 8, diff.bytes().length);
        assertArrayEquals(
                new byte[] {0, 0, 1, 0, 1},
                Arrays.copyOfRange(diff.bytes(), 65535 + 4, diff.bytes().length));
    }

    @Test
    void equalPages_haveAnEmptyDiffThatChangesNothing() {
        MemorySegment page = copy(random(PAGE, new SplittableRandom(3)));

        Diff diff = Diff.of(page, copy(page.toArray(JAVA_BYTE)), Integer.BYTES);

        assertEquals(0, diff.granules());
        assertEquals(0, diff.bytes().length);
        assertEquals(0, Diff.apply(MemorySegment.ofArray(diff.bytes()), page, Integer.BYTES));
    }

    @Test
    void shapesThatNoPageHas_areRefused() {
        MemorySegment page = copy(new byte[128]);
        MemorySegment none = copy(new byte[0]);
        for (int bytes : new int[] {0, 32, 96, (1 << 16) + 64}) {
            MemorySegment odd = copy(new byte[bytes]);
            assertRefused("a page of " + bytes + " bytes", () -> Diff.of(odd, odd, 8));
            assertRefused("a page of " + bytes + " bytes", () -> Diff.apply(none, odd, 8));
        }
        for (int granule : new int[] {-8, 0, 3, 16}) {
            String text = "a granule of " + granule + " bytes";
            assertRefused(text, () -> Diff.of(page, page, granule));
            assertRefused(text, () -> Diff.apply(none, page, page, granule));
        }
        MemorySegment longer = copy(new byte[192]);
        assertRefused("a page of 128 bytes and a twin of 192", () -> Diff.of(page, longer, 8));
        assertRefused(
                "a page of 128 bytes and a twin of 192", () -> Diff.apply(none, page, longer, 8));
    }

    private static void assertRefused(String text, Runnable use) {
        assertEquals(text, assertThrows(IllegalArgumentException.class, use::run).getMessage());
    }

    @Test
    void zeros_areFoundToTheLastByte() {
        byte[] page = new byte[PAGE];
        assertTrue(Diff.isZero(copy(page)));
        for (int at : new int[] {0, 7, 63, 64, 2049, PAGE - 1}) {
            byte[] other = page.clone();
            other[at] = -128;
            assertFalse(Diff.isZero(copy(other)), "byte " + at);
        }
        assertTrue(Diff.isZero(copy(new byte[1 << 16])));
    }
}
