package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Reduction.Operator;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.reduction.Round;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Results of contributions, without a cluster. */
class ReductionTest {
    private static final double BIG = 1e16; // BIG + 1 is BIG

    record Tour(String name, int length) {}

    /**
     * The result of contributions in order of position, from several nodes with equally many
     * threads.
     */
    @SafeVarargs
    private static <T> T combined(Reduction<T> reduction, int nodes, T... contributions) {
        Round round = new Round();
        int threads = contributions.length / nodes;
        for (int position = contributions.length - 1; position >= 0; position--) {
            assertEquals(
                    Optional.empty(),
                    round.add(
                            position / threads,
                            position % threads,
                            contribution(reduction, contributions[position])));
        }
        return reduction.decode(round.result());
    }

    private static <T> Optional<Contribution> contribution(Reduction<T> reduction, T value) {
        return Optional.of(Contribution.decode(reduction.encode(value, 4)));
    }

    private static void assertBits(double expected, double actual) {
        assertEquals(Double.doubleToRawLongBits(expected), Double.doubleToRawLongBits(actual));
    }

    // arithmetic

    @Test
    void integers_areCombinedAsInJava() {
        assertEquals(12, combined(Reduction.ofInt(Operator.SUM), 1, 3, 4, 5));
        assertEquals(60, combined(Reduction.ofInt(Operator.PRODUCT), 1, 3, 4, 5));
        assertEquals(-5, combined(Reduction.ofInt(Operator.MIN), 1, 3, -5, 5));
        assertEquals(5L, combined(Reduction.ofLong(Operator.MAX), 1, 3L, -5L, 5L));
        assertEquals(0b1000L, combined(Reduction.ofLong(Operator.AND), 1, 0b1100L, 0b1010L));
        assertEquals(0b1110, combined(Reduction.ofInt(Operator.OR), 1, 0b1100, 0b1010));
        assertEquals(0b0110, combined(Reduction.ofInt(Operator.XOR), 1, 0b1100, 0b1010));
    }

    @Test
    void integersThatOverflow_wrapAround() {
        assertEquals(
                Integer.MIN_VALUE,
                combined(Reduction.ofInt(Operator.SUM), 1, Integer.MAX_VALUE, 1));
        assertEquals(
                Long.MIN_VALUE, combined(Reduction.ofLong(Operator.SUM), 1, Long.MAX_VALUE, 1L));
        assertEquals(0, combined(Reduction.ofInt(Operator.PRODUCT), 1, 1 << 16, 1 << 16));
    }

    @Test
    void zerosAndNaNs_areOrderedAsByMath() {
        Reduction<Double> min = Reduction.ofDouble(Operator.MIN);
        Reduction<Double> max = Reduction.ofDouble(Operator.MAX);

        assertBits(-0.0, combined(min, 1, 0.0, -0.0));
        assertBits(0.0, combined(max, 1, -0.0, 0.0));
        assertBits(Double.NaN, combined(min, 2, 1.0, Double.NaN));
        assertBits(Double.NaN, combined(max, 2, Double.NaN, 1.0));
        assertEquals(Float.NaN, combined(Reduction.ofFloat(Operator.MIN), 1, Float.NaN, 1f));
        assertBits(-0.0, combined(Reduction.ofDouble(Operator.SUM), 1, -0.0, -0.0));
    }

    @Test
    void everyNaN_isTheCanonicalOne() {
        double other = Double.longBitsToDouble(0x7FF8_0000_0000_0001L);
        Reduction<Double> sum = Reduction.ofDouble(Operator.SUM);

        assertBits(Double.NaN, combined(sum, 1, other));
        assertBits(Double.NaN, combined(sum, 1, 1.0, other));
        double[] sums = combined(Reduction.ofDoubles(Operator.MAX), 1, new double[] {other});
        assertBits(Double.NaN, sums[0]);
    }

    @Test
    void arrays_areCombinedElementByElement() {
        assertArrayEquals(
                new double[] {11, 22, 33},
                combined(
                        Reduction.ofDoubles(Operator.SUM),
                        2,
                        new double[] {1, 2, 3},
                        new double[] {10, 20, 30}));
        assertArrayEquals(
                new int[] {1, -7},
                combined(Reduction.ofInts(Operator.MIN), 2, new int[] {1, 7}, new int[] {4, -7}));
        assertArrayEquals(
                new long[] {3},
                combined(Reduction.ofLongs(Operator.OR), 2, new long[] {1}, new long[] {2}));
        assertArrayEquals(
                new float[] {6},
                combined(
                        Reduction.ofFloats(Operator.PRODUCT), 2, new float[] {3}, new float[] {2}));
        assertArrayEquals(
                new double[0],
                combined(Reduction.ofDoubles(Operator.SUM), 2, new double[0], new double[0]));
    }

    @Test
    void placeOfTheLeast_isTheFirstOfEqualOnes() {
        Reduction<DoubleAt> least = Reduction.ofDoubleAt(Operator.MIN);
        Reduction<DoubleAt> most = Reduction.ofDoubleAt(Operator.MAX);

        assertEquals(
                new DoubleAt(2, 4),
                combined(
                        least,
                        2,
                        new DoubleAt(3, 1),
                        new DoubleAt(2, 7),
                        new DoubleAt(2, 4),
                        new DoubleAt(9, 0)));
        assertEquals(new DoubleAt(3, 1), combined(most, 2, new DoubleAt(3, 1), new DoubleAt(2, 0)));
        assertEquals(
                new DoubleAt(-0.0, 9),
                combined(least, 2, new DoubleAt(0.0, 1), new DoubleAt(-0.0, 9)));
        assertEquals(
                new DoubleAt(Double.NaN, 3),
                combined(
                        most,
                        2,
                        new DoubleAt(Double.NaN, 8),
                        new DoubleAt(Double.NaN, 3),
                        new DoubleAt(Double.POSITIVE_INFINITY, 1),
                        new DoubleAt(0, 0)));
        assertEquals(
                new LongAt(5, 2),
                combined(Reduction.ofLongAt(Operator.MAX), 1, new LongAt(5, 2), new LongAt(4, 1)));
    }

    // order

    @Test
    void contributions_areCombinedByNodeWhoeverCameFirst() {
        Reduction<Double> sum = Reduction.ofDouble(Operator.SUM);

        assertBits((BIG + 1) + (1 + -BIG), combined(sum, 2, BIG, 1.0, 1.0, -BIG));
        assertBits(((BIG + 1) + 1) + -BIG, combined(sum, 1, BIG, 1.0, 1.0, -BIG));
        assertBits(((BIG + 1) + 1) + -BIG, combined(sum, 4, BIG, 1.0, 1.0, -BIG));
    }

    @Test
    void reproducibleSum_doesNotDependOnTheNodes() {
        Reduction<Double> sum = Reduction.ofDouble(Operator.SUM).reproducible();

        for (int nodes : new int[] {1, 2, 4}) {
            assertBits(((BIG + 1) + 1) + -BIG, combined(sum, nodes, BIG, 1.0, 1.0, -BIG));
        }
    }

    @Test
    void contributionsOfANode_areCombinedAheadUnlessTheyHaveToBeFlat() {
        Reduction<Double> sum = Reduction.ofDouble(Operator.SUM);
        List<Contribution> two =
                List.of(contribution(sum, 1.0).get(), contribution(sum, 2.0).get());
        List<Contribution> flat =
                List.of(
                        contribution(sum.reproducible(), 1.0).get(),
                        contribution(sum.reproducible(), 2.0).get());
        List<Contribution> mixed = List.of(two.getFirst(), flat.getLast());

        assertArrayEquals(
                contribution(sum, 3.0).get().value(), Contribution.ofNode(two).get().value());
        assertEquals(Optional.empty(), Contribution.ofNode(flat));
        assertEquals(Optional.empty(), Contribution.ofNode(mixed));
    }

    @Test
    void ofNode_givesWhatTheRoundWouldHaveMadeOfTheThreads() {
        Reduction<Double> sum = Reduction.ofDouble(Operator.SUM);
        TreeMap<Integer, List<Double>> byNode = new TreeMap<>();
        byNode.put(0, List.of(0.1, 0.7, 1e9));
        byNode.put(1, List.of(-1e9, 1e-9, 3.3));
        Round apart = new Round();
        Round together = new Round();

        byNode.forEach((node, values) -> {
            List<Contribution> all = new ArrayList<>();
            for (int thread = 0; thread < values.size(); thread++) {
                all.add(contribution(sum, values.get(thread)).get());
                apart.add(node, thread, Optional.of(all.getLast()));
            }
            together.add(node, Round.ALL_THREADS, Contribution.ofNode(all));
        });

        assertArrayEquals(apart.result(), together.result());
    }

    // operators of programs

    @Test
    void operatorOfTheProgram_getsAllInOrderOfPosition() {
        Reduction<String> joined = Reduction.of("joined", String.class, (l, r) -> l + r);

        assertEquals("abcd", combined(joined, 1, "a", "b", "c", "d"));
        assertEquals("abcd", combined(joined, 2, "a", "b", "c", "d"));
        assertEquals("abcd", combined(joined.reproducible(), 4, "a", "b", "c", "d"));
    }

    @Test
    void operatorOfTheProgram_takesRecords() {
        Reduction<Tour> shortest =
                Reduction.of("shortest", Tour.class, (l, r) -> l.length() <= r.length() ? l : r);

        assertEquals(
                new Tour("south", 3),
                combined(shortest, 2, new Tour("north", 4), new Tour("south", 3)));
        assertEquals("shortest of Tour", shortest.toString());
    }

    // what does not fit

    @Test
    void differentReductions_areNamedWithWhoCameWithThem() {
        expectDiffers(
                Reduction.ofDouble(Operator.SUM),
                1.0,
                Reduction.ofDouble(Operator.MAX),
                1.0,
                "'sum of double', and node 1, thread 0, with a contribution to 'max of double'");
        expectDiffers(
                Reduction.ofDouble(Operator.SUM),
                1.0,
                Reduction.ofLong(Operator.SUM),
                1L,
                "'sum of double', and node 1, thread 0, with a contribution to 'sum of long'");
        expectDiffers(
                Reduction.ofDoubles(Operator.SUM),
                new double[3],
                Reduction.ofDoubles(Operator.SUM),
                new double[4],
                "'sum of double[3]', and node 1, thread 0, with a contribution to"
                        + " 'sum of double[4]'");
        expectDiffers(
                Reduction.ofDoubles(Operator.SUM),
                new double[1],
                Reduction.ofDouble(Operator.SUM),
                0.0,
                "'sum of double[1]', and node 1, thread 0, with a contribution to"
                        + " 'sum of double'");
        expectDiffers(
                Reduction.ofDouble(Operator.SUM).reproducible(),
                1.0,
                Reduction.ofDouble(Operator.SUM),
                1.0,
                "'reproducible sum of double', and node 1, thread 0, with a contribution to"
                        + " 'sum of double'");
        expectDiffers(
                Reduction.of("first", String.class, (l, _) -> l),
                "",
                Reduction.of("last", String.class, (_, r) -> r),
                "",
                "'first of String', and node 1, thread 0, with a contribution to"
                        + " 'last of String'");
    }

    private static <A, B> void expectDiffers(
            Reduction<A> first, A one, Reduction<B> second, B other, String text) {
        Round round = new Round();
        assertEquals(Optional.empty(), round.add(0, 1, contribution(first, one)));

        String reason = round.add(1, 0, contribution(second, other)).orElseThrow();

        assertEquals(
                "node 0, thread 1, came with a contribution to "
                        + text
                        + "; all parties of a round contribute to the same reduction, with equal"
                        + " lengths",
                reason);
    }

    /** A caller that ignored the reason used to get a sum of the shorter arrays. */
    @Test
    void arraysOfDifferentLengths_areNeverCombined() {
        for (boolean isFlat : new boolean[] {false, true}) {
            Reduction<int[]> sums = Reduction.ofInts(Operator.SUM);
            Reduction<int[]> reduction = isFlat ? sums.reproducible() : sums;
            Round round = new Round();
            assertTrue(round.add(0, 0, contribution(reduction, new int[3])).isEmpty());
            assertTrue(round.add(1, 0, contribution(reduction, new int[4])).isPresent());

            assertThrows(IllegalArgumentException.class, round::result);
        }
    }

    @Test
    void partyWithoutAContribution_isNamed() {
        Round round = new Round();
        round.add(2, Round.ALL_THREADS, Optional.empty());

        String reason =
                round.add(0, 1, contribution(Reduction.ofInt(Operator.SUM), 4)).orElseThrow();

        assertTrue(
                reason.startsWith(
                        "node 2 came without a contribution, and node 0, thread 1, with a"
                                + " contribution to 'sum of int'"),
                reason);
    }

    @Test
    void operatorsOfBits_areForIntegersOnly() {
        for (Operator operator : List.of(Operator.AND, Operator.OR, Operator.XOR)) {
            assertThrows(IllegalArgumentException.class, () -> Reduction.ofFloat(operator));
            assertThrows(IllegalArgumentException.class, () -> Reduction.ofDoubles(operator));
            assertThrows(IllegalArgumentException.class, () -> Reduction.ofLongAt(operator));
        }
        assertEquals(
                "no reduction by sum of double with index",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> Reduction.ofDoubleAt(Operator.SUM))
                        .getMessage());
    }

    @Test
    void contributionAboveTheBound_isRefusedWithBothSizes() {
        Reduction<int[]> sums = Reduction.ofInts(Operator.SUM);

        assertEquals(
                "a contribution of 16777220 bytes, more than 16777216",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> sums.pieces(new int[(4 << 20) + 1], 1))
                        .getMessage());
        Reduction<String> joined = Reduction.of("joined", String.class, (l, r) -> l + r);
        joined.encode("x".repeat(60_000), 64);
        assertEquals(
                "a contribution of 60005 bytes, more than 32768",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> joined.encode("x".repeat(60_000), 128))
                        .getMessage());
    }

    @Test
    void longArray_isCombinedInPieces() {
        Reduction<double[]> max = Reduction.ofDoubles(Operator.MAX);
        double[] rising = IntStream.range(0, 20_000).mapToDouble(i -> i).toArray();
        double[] falling = IntStream.range(0, 20_000).mapToDouble(i -> 19_999 - i).toArray();

        List<byte[]> left = max.pieces(rising, 2);
        List<byte[]> right = max.pieces(falling, 2);
        List<byte[]> results = new ArrayList<>();
        for (int i = 0; i < left.size(); i++) {
            Contribution one = Contribution.decode(left.get(i));
            assertTrue(one.value().length <= Reduction.BYTES_MAX, one::text);
            results.add(Round.result(List.of(one, Contribution.decode(right.get(i)))));
        }

        assertEquals(3, left.size());
        assertEquals(
                "max of double[3616], elements 16384 to 20000 of 20000",
                Contribution.decode(left.get(2)).text());
        double[] most = max.decode(Round.joined(results));
        for (int i = 0; i < 20_000; i++) {
            assertBits(Math.max(i, 19_999 - i), most[i]);
        }
        assertEquals(1, max.pieces(new double[Reduction.BYTES_MAX / Double.BYTES], 2).size());
    }

    @Test
    void longArraysOfDifferentLengths_doNotFit() {
        Reduction<int[]> sum = Reduction.ofInts(Operator.SUM);
        Round round = new Round();
        round.add(
                0, 0, Optional.of(Contribution.decode(sum.pieces(new int[40_000], 2).getFirst())));

        String reason =
                round.add(
                                1,
                                0,
                                Optional.of(
                                        Contribution.decode(
                                                sum.pieces(new int[40_001], 2).getFirst())))
                        .orElseThrow();

        assertTrue(reason.contains("'sum of int[16384], elements 0 to 16384 of 40000'"), reason);
        assertTrue(reason.contains("'sum of int[16384], elements 0 to 16384 of 40001'"), reason);
    }

    @Test
    void nameAndType_areCheckedWhenTheReductionIsMade() {
        assertThrows(
                IllegalArgumentException.class, () -> Reduction.of("", String.class, (l, _) -> l));
        assertThrows(
                IllegalArgumentException.class,
                () -> Reduction.of("x".repeat(201), String.class, (l, _) -> l));
        assertTrue(
                assertThrows(
                                IllegalArgumentException.class,
                                () -> Reduction.of("r", Thread.class, (l, _) -> l))
                        .getMessage()
                        .contains("java.lang.Thread"));
    }

    // bytes

    @Test
    void bytesThatAreNoContributionOrResult_areRefused() {
        byte[] right = Reduction.ofDouble(Operator.SUM).encode(1.0, 1);
        for (int length = 0; length < right.length; length++) {
            byte[] cut = Arrays.copyOf(right, length);
            assertThrows(IllegalArgumentException.class, () -> Contribution.decode(cut));
        }
        for (int at = 0; at < 3; at++) {
            byte[] wrong = right.clone();
            wrong[at] = 99;
            assertThrows(IllegalArgumentException.class, () -> Contribution.decode(wrong));
        }
        assertThrows(IllegalArgumentException.class, () -> Round.values(new byte[2]));
        assertThrows(
                IllegalArgumentException.class,
                () -> Round.values(new byte[] {1, 0, 0, 0, 9, 0, 0, 0, 1}));
    }
}
