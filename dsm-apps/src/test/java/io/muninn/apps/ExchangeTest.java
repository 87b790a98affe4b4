package io.muninn.apps;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Exchanges of every length, in which any of the threads comes first. */
@Timeout(60)
class ExchangeTest {
    /** Each gives each a number of elements of its own, from none to more than a message takes. */
    private static final class Swaps implements DsmProgram {
        private static final int ROUNDS = 3;

        /** By position, on the root. */
        private boolean isRight;

        /** More than 4 MiB from thread 1 to thread 0. */
        private static int length(int from, int to) {
            return from == 1 && to == 0 ? 600_000 : (from * 7 + to * 3) % 5 * 20_000;
        }

        private static double[] content(int from, int to, int round) {
            double[] content = new double[length(from, to)];
            Arrays.setAll(content, i -> i + 1e7 * (from + 100 * to) + round);
            return content;
        }

        @Override
        public void run(DsmNode node) {
            Exchange exchange = new Exchange(node);
            int self = node.position();
            int positions = node.positions();
            boolean good = true;
            for (int round = 0; round < ROUNDS; round++) {
                MemorySegment[] out = new MemorySegment[positions];
                double[][] in = new double[positions][];
                for (int other = 0; other < positions; other++) {
                    out[other] = MemorySegment.ofArray(content(self, other, round));
                    in[other] = new double[length(other, self)];
                }
                exchange.swap(out, segments(in));
                for (int other = 0; other < positions; other++) {
                    good &= Arrays.equals(content(other, self, round), in[other]);
                }
            }
            double[][] all = new double[positions][1];
            exchange.share(MemorySegment.ofArray(new double[] {self}), segments(all));
            for (int other = 0; other < positions; other++) {
                good &= all[other][0] == other;
            }
            double[][] answers = new double[positions][2];
            double[] answer = {self, good ? 1 : 0};
            exchange.collect(MemorySegment.ofArray(answer), segments(answers));
            if (self == 0) {
                isRight = true;
                for (int other = 0; other < positions; other++) {
                    isRight &= Arrays.equals(new double[] {other, 1}, answers[other]);
                }
            }
        }

        private static MemorySegment[] segments(double[][] arrays) {
            return Arrays.stream(arrays).map(MemorySegment::ofArray).toArray(MemorySegment[]::new);
        }

        @Override
        public Verdict verify(DsmNode root) {
            return isRight ? Verdict.right("") : Verdict.wrong("something else has come");
        }
    }

    @Test
    void swaps_bringWhatWasGiven() {
        for (int[] cluster : new int[][] {{1, 1}, {2, 1}, {2, 3}, {5, 1}}) {
            AppResult result = AppRun.of(Swaps::new, cluster[0]).threads(cluster[1]).run();
            assertTrue(result.isGood(), result::toString);
        }
    }

    @Test
    void firstThread_isOnePerThingAndPhase() {
        FirstThread first = new FirstThread(2);
        assertTrue(first.isFirst(0, 0));
        assertFalse(first.isFirst(0, 0));
        assertTrue(first.isFirst(1, 0));
        assertTrue(first.isFirst(0, 3));
        assertFalse(first.isFirst(0, 3));
        assertFalse(first.isFirst(1, 0));
    }
}
