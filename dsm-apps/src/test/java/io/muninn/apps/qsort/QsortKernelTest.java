package io.muninn.apps.qsort;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Band;
import io.muninn.api.IntArray;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class QsortKernelTest {
    private static final int MARGIN = 3;

    /** Elements by index, of every kind that quicksort has trouble with. */
    private record Elements(String name, IntUnaryOperator at) {
        int[] of(int size) {
            int[] elements = new int[size];
            Arrays.setAll(elements, at);
            return elements;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Elements> elements() {
        Random random = new Random(4);
        return Stream.of(
                new Elements("random", _ -> random.nextInt()),
                new Elements("few", _ -> random.nextInt(3)),
                new Elements("sorted", i -> i),
                new Elements("reversed", i -> -i),
                new Elements("equal", _ -> 7),
                new Elements("least", _ -> Integer.MIN_VALUE),
                new Elements("greatest", _ -> Integer.MAX_VALUE),
                new Elements("extremes", i -> i % 2 == 0 ? Integer.MIN_VALUE : Integer.MAX_VALUE),
                new Elements("organ", i -> Math.min(i, 50 - i)));
    }

    private static int[] all(IntArray array) {
        int[] elements = new int[array.length()];
        array.copyTo(0, elements, 0, elements.length);
        return elements;
    }

    private static int[] sorted(int[] elements) {
        int[] copy = elements.clone();
        Arrays.sort(copy);
        return copy;
    }

    @ParameterizedTest
    @MethodSource("elements")
    void parts_areSmallerApartAndOtherwiseInPlace(Elements kind) {
        for (int size = 1; size < 60; size++) {
            int[] before = kind.of(size + 2 * MARGIN);
            IntArray array = IntArray.local(before.length);
            array.copyFrom(0, before, 0, before.length);
            Band whole = new Band(MARGIN, MARGIN + size);

            QsortKernel.Parts parts = QsortKernel.split(array, whole, _ -> {});

            Band lower = parts.lower();
            Band upper = parts.upper();
            assertTrue(lower.length() < size && upper.length() < size, parts::toString);
            assertTrue(parts.smaller().length() <= parts.larger().length());
            assertEquals(
                    size == 1 ? 0 : parts.smaller().length() + parts.larger().length(),
                    lower.length() + upper.length());
            int[] after = all(array);
            for (int i = lower.from(); i < lower.to(); i++) {
                for (int j = upper.from(); j < upper.to(); j++) {
                    assertTrue(after[i] < after[j]);
                }
            }
            Arrays.sort(after, lower.from(), lower.to());
            Arrays.sort(after, upper.from(), upper.to());
            int[] expected = before.clone();
            Arrays.sort(expected, whole.from(), whole.to());
            assertArrayEquals(expected, after);
        }
    }

    @ParameterizedTest
    @MethodSource("elements")
    void sort_sortsItsPartAndLeavesTheRestAlone(Elements kind) {
        for (int size = 0; size < 60; size++) {
            int[] expected = kind.of(size + 2 * MARGIN);
            IntArray array = IntArray.local(expected.length);
            array.copyFrom(0, expected, 0, expected.length);
            Arrays.sort(expected, MARGIN, MARGIN + size);
            long[] units = new long[1];

            QsortKernel.sort(array, new Band(MARGIN, MARGIN + size), more -> units[0] += more);

            assertArrayEquals(expected, all(array));
            assertTrue(units[0] >= size - 1 && units[0] <= size * size, units[0] + " units");
        }
    }

    @ParameterizedTest
    @MethodSource("elements")
    void sorterWithOrWithoutRoom_sortsAll(Elements kind) {
        for (int room : new int[] {0, 1, 5, 1000}) {
            for (int threshold : new int[] {1, 10}) {
                int[] before = kind.of(500);
                IntArray array = IntArray.local(500);
                array.copyFrom(0, before, 0, 500);
                ArrayDeque<Band> tasks = new ArrayDeque<>();
                TaskSink sink = task -> tasks.size() < room && tasks.add(task);
                Sorter sorter = new Sorter(array, threshold, sink, _ -> {});

                sorter.sort(new Band(0, 500));
                while (!tasks.isEmpty()) {
                    sorter.sort(tasks.remove());
                }

                assertArrayEquals(sorted(before), all(array));
            }
        }
    }

    @Test
    void wrongElement_isFoundAndNamed() {
        QsortProblem problem = new QsortProblem(100, 10, 10, 1);
        IntArray array = IntArray.local(100);
        problem.fill(array);
        assertTrue(problem.verify(array).detail().startsWith("element 0 is "));
        int[] elements = sorted(all(array));
        array.copyFrom(0, elements, 0, 100);
        assertTrue(problem.verify(array).right());

        array.set(41, array.get(40));

        assertTrue(!problem.verify(array).right());
        assertEquals(
                "element 41 is " + elements[40] + ", not " + elements[41],
                problem.verify(array).detail());
    }
}
