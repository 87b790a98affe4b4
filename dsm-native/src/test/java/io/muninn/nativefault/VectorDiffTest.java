package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Diff and apply against a plain oracle. */
@Timeout(60)
class VectorDiffTest {
    private static final int ROUNDS = 150;
    private static final int REGION_BYTES = 1 << 20;

    private static Pair pair;
    private static Arena arena;

    @BeforeAll
    static void start() {
        pair = Pair.start(EngineKind.UFFD_EVENT, REGION_BYTES);
        arena = Arena.ofShared();
    }

    @AfterAll
    static void end() {
        pair.close();
        arena.close();
    }

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

    private static void fill(MemorySegment target, byte[] bytes) {
        MemorySegment.copy(bytes, 0, target, JAVA_BYTE, 0, bytes.length);
    }

    @ParameterizedTest
    @CsvSource({"4096,1", "4096,2", "4096,4", "4096,8", "65536,1", "65536,8"})
    void randomPages_encodeAndApplyAsTheOracleDoes(int bytes, int granule) {
        SplittableRandom random = new SplittableRandom(bytes + granule);
        MemorySegment alias = pair.engine.alias();
        List<VectorDiff> kernels = kernels(true);
        MemorySegment out = arena.allocate(FaultEngine.diffBytesMax(bytes, granule));
        for (int round = 0; round < ROUNDS; round++) {
            byte[] before = new byte[bytes];
            random.nextBytes(before);
            byte[] after = changed(before, random);
            byte[] local = changed(before, random);
            fill(alias, before);
            long twin = pair.engine.makeTwin(0, bytes);
            fill(alias, after);

            pair.engine.use(kernels.get(round % kernels.size()));
            long result = pair.engine.diff(0, twin, bytes, granule, out);

            MemorySegment diff = out.asSlice(0, FaultEngine.diffBytes(result));
            byte[] expected = oracle(after, before, granule);
            assertTrue(Arrays.equals(expected, diff.toArray(JAVA_BYTE)));
            fill(alias, local);
            int overlap = pair.engine.apply(diff, 0, twin, bytes, granule);
            int changes = 0;
            int both = 0;
            byte[] merged = local.clone();
            for (int i = 0; i < bytes / granule; i++) {
                if (differs(after, before, i, granule)) {
                    changes++;
                    if (differs(local, before, i, granule)) {
                        both++;
                    } else {
                        System.arraycopy(after, i * granule, merged, i * granule, granule);
                    }
                }
            }
            assertEquals(changes, FaultEngine.diffGranules(result));
            assertEquals(both, overlap);
            assertTrue(Arrays.equals(merged, alias.asSlice(0, bytes).toArray(JAVA_BYTE)));
            assertTrue(Arrays.equals(after, NativeMemory.at(twin, bytes).toArray(JAVA_BYTE)));
            pair.engine.freeTwin(twin, bytes);
        }
    }

    private static List<VectorDiff> kernels(boolean runHere) {
        return Arrays.stream(VectorDiff.values())
                .filter(kernel -> kernel.runsHere() == runHere)
                .toList();
    }

    @Test
    void kernels_areFoundByNameWhereTheyRun() {
        assertEquals(Optional.of(VectorDiff.best()), VectorDiff.named("auto"));
        assertEquals(Optional.of(VectorDiff.PORTABLE), VectorDiff.named("portable"));
        assertEquals(Optional.empty(), VectorDiff.named("sse"));
        assertFalse(kernels(false).isEmpty(), "there is one for another architecture");
        for (VectorDiff kernel : kernels(false)) {
            assertEquals(Optional.empty(), VectorDiff.named(kernel.word()));
            assertThrows(NativeCallException.class, () -> pair.engine.use(kernel));
        }
        for (VectorDiff kernel : kernels(true)) {
            assertEquals(Optional.of(kernel), VectorDiff.named(kernel.word()));
            assertTrue(VectorDiff.namesHere().contains(kernel.word()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void zeros_areFoundByEveryKernelThatRuns(VectorDiff kernel) {
        assumeTrue(kernel.runsHere());
        MemorySegment alias = pair.engine.alias();
        pair.engine.use(kernel);
        alias.asSlice(0, 8192).fill((byte) 0);

        assertTrue(pair.engine.isZero(0, 8192));
        for (int at = 0; at < 4096; at += 61) {
            alias.set(JAVA_BYTE, at, (byte) 1);
            assertFalse(pair.engine.isZero(0, 4096), "byte " + at);
            assertTrue(pair.engine.isZero(4096, 4096));
            alias.set(JAVA_BYTE, at, (byte) 0);
        }
    }

    @Test
    void malformedDiffs_changeNothing() {
        SplittableRandom random = new SplittableRandom(7);
        int refused = 0;
        byte[] before = new byte[4096];
        random.nextBytes(before);
        for (int round = 0; round < 20_000; round++) {
            int length = random.nextInt(40);
            MemorySegment diff = arena.allocate(Math.max(1, length)).asSlice(0, length);
            for (int at = 0; at + 2 <= length; at += 2) {
                diff.set(JAVA_SHORT_UNALIGNED, at, (short) random.nextInt(4));
            }
            fill(pair.engine.alias(), before);

            int result = pair.engine.apply(diff, 0, 0, 4096, 1 << random.nextInt(4));

            assertTrue(result == 0 || result == -Errno.EBADMSG, "result " + result);
            if (result < 0) {
                refused++;
                byte[] now = pair.engine.alias().asSlice(0, 4096).toArray(JAVA_BYTE);
                assertTrue(Arrays.equals(before, now));
            }
        }
        assertTrue(refused > 1000 && refused < 20_000, refused + " refused");
    }

    @Test
    void badArguments_areRefused() {
        long twin = pair.engine.makeTwin(0, 4096);
        MemorySegment small = arena.allocate(3);
        pair.engine.alias().set(JAVA_BYTE, 0, (byte) (pair.content(0) + 1));

        assertThrows(NativeCallException.class, () -> pair.engine.diff(0, twin, 4096, 8, small));
        assertThrows(NativeCallException.class, () -> pair.engine.diff(0, twin, 4096, 3, small));
        assertThrows(
                NativeCallException.class,
                () -> pair.engine.diff(REGION_BYTES, twin, 4096, 8, small));
        assertThrows(
                IllegalArgumentException.class,
                () -> pair.engine.diff(0, twin, 4096, 8, MemorySegment.ofArray(new byte[9000])));
        assertEquals(-Errno.EINVAL, pair.engine.apply(small, REGION_BYTES, 0, 4096, 8));
        assertEquals(-Errno.EINVAL, pair.engine.apply(small, 0, 0, 4096, 5));
        pair.engine.freeTwin(twin, 4096);
    }
}
