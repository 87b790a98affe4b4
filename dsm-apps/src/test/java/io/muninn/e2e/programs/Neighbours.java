package io.muninn.e2e.programs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.LongArray;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.ShortArray;
import io.muninn.api.Verdict;
import java.lang.foreign.MemorySegment;

/**
 * All threads of all nodes store to neighbours between barriers: bytes of one int in a variable
 * whose diffs go byte by byte, words of a unit of four pages, words of small variables that share a
 * page. None of the stores is lost.
 */
public final class Neighbours implements DsmProgram {
    private static final int ROUNDS = 25;

    @Shared(value = Protocol.WRITE_SHARED, byteGranular = true)
    final IntArray bytes = IntArray.of(3000);

    @Shared(value = Protocol.WRITE_SHARED, unitPages = 4)
    final ShortArray unit = ShortArray.of(9000);

    @Shared(value = Protocol.WRITE_SHARED, packed = true)
    final LongArray packedOne = LongArray.of(40);

    @Shared(value = Protocol.WRITE_SHARED, packed = true)
    final LongArray packedTwo = LongArray.of(40);

    @Shared(unitPages = 4)
    final LongArray conventional = LongArray.of(2000);

    @Override
    public void run(DsmNode node) {
        int parties = node.nodes() * node.threads();
        int self = node.id() * node.threads() + node.thread();
        MemorySegment raw = bytes.segment(0, bytes.length(), Mode.WRITE);
        DsmBarrier round = node.barrier("round");
        for (int i = 1; i <= ROUNDS; i++) {
            for (int at = self; at < raw.byteSize(); at += parties) {
                raw.set(JAVA_BYTE, at, (byte) (i + at));
            }
            for (int at = self; at < unit.length(); at += parties) {
                unit.set(at, (short) (i + at));
            }
            for (int at = self; at < packedOne.length(); at += parties) {
                packedOne.set(at, i + at);
                packedTwo.set(at, i - at);
            }
            if (i % 8 == 0) {
                for (int at = self; at < conventional.length(); at += parties) {
                    conventional.set(at, i + at);
                }
            }
            round.await();
            check(raw, i);
            round.await();
        }
    }

    private void check(MemorySegment raw, int i) {
        for (int at = 0; at < raw.byteSize(); at++) {
            expect("bytes", i, at, (byte) (i + at), raw.get(JAVA_BYTE, at));
        }
        for (int at = 0; at < unit.length(); at++) {
            expect("unit", i, at, (short) (i + at), unit.get(at));
        }
        for (int at = 0; at < packedOne.length(); at++) {
            expect("packedOne", i, at, i + at, packedOne.get(at));
            expect("packedTwo", i, at, i - at, packedTwo.get(at));
        }
        if (i >= 8 && i % 8 == 0) {
            for (int at = 0; at < conventional.length(); at++) {
                expect("conventional", i, at, i + at, conventional.get(at));
            }
        }
    }

    private static void expect(String name, int round, int at, long expected, long found) {
        if (found != expected) {
            throw new IllegalStateException(
                    "round "
                            + round
                            + ": element "
                            + at
                            + " of "
                            + name
                            + " is "
                            + found
                            + ", not "
                            + expected);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.right(ROUNDS + " rounds");
    }
}
