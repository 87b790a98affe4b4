package io.muninn.verify.program;

import java.util.Arrays;
import java.util.List;

/**
 * A litmus test: a tiny program whose allowed outcomes are known.
 *
 * <p><b>Notation.</b> A thread is a line of accesses: {@code x=1} stores 1 to x, {@code x} loads x,
 * and {@code |} waits for all other threads. An <i>outcome</i> consists of the values of all loads,
 * thread by thread, and then the final values: {@code "1 0"}.
 *
 * @param name as in the literature
 * @param says the question that it answers
 * @param threads a line for each thread, without barriers
 * @param inSteps the same accesses with barriers between those that conflict
 * @param finals locations whose values are loaded at the end, by the first thread and by the last
 * @param weak the outcome that sequential consistency forbids; a {@code *} stands for any value
 * @param bare outcomes that write-shared pages must sometimes show, if these are allowed, without
 *     synchronization and if the accesses of the test fetch the copies
 * @param cached such outcomes if every node has its copies before
 */
public record Litmus(
        String name,
        String says,
        List<String> threads,
        List<String> inSteps,
        String finals,
        String weak,
        List<String> bare,
        List<String> cached) {
    /** The character for a barrier in a line. */
    static final char BARRIER = '|';

    /** Threads that load the final values: the first and the last. */
    static final int FINAL_READERS = 2;

    /**
     * One access, or a barrier.
     *
     * @param location x, y, z or {@link #BARRIER}
     * @param value the stored value; negative for a load
     */
    record Access(char location, int value) {
        boolean isLoad() {
            return value < 0 && location != BARRIER;
        }

        boolean isBarrier() {
            return location == BARRIER;
        }

        /** The index of its location: 0 for x. */
        int place() {
            return location - 'x';
        }
    }

    /** All litmus tests. */
    public static final List<Litmus> ALL =
            List.of(
                    new Litmus(
                            "MP",
                            "message passing: is the flag seen without the data?",
                            List.of("x=1 y=1", "y x"),
                            List.of("x=1 y=1 |", "| y x"),
                            "",
                            "1 0",
                            List.of("0 0", "0 1", "1 1"),
                            List.of("0 0", "0 1", "1 1")),
                    new Litmus(
                            "SB",
                            "store buffering: does each of two miss the other's store?",
                            List.of("x=1 y", "y=1 x"),
                            List.of("x=1 | y", "y=1 | x"),
                            "",
                            "0 0",
                            List.of("0 0", "0 1", "1 0", "1 1"),
                            List.of("0 0", "0 1", "1 0")),
                    new Litmus(
                            "LB",
                            "load buffering: does each of two see what the other stores later?",
                            List.of("x y=1", "y x=1"),
                            List.of("x | y=1", "y | x=1"),
                            "",
                            "1 1",
                            List.of("0 0", "0 1", "1 0"),
                            List.of("0 0", "0 1", "1 0")),
                    new Litmus(
                            "CoRR",
                            "two loads of one location: is a store seen and then unseen?",
                            List.of("x=1", "x x"),
                            List.of("x=1 |", "| x x"),
                            "",
                            "1 0",
                            List.of("0 0", "0 1", "1 1"),
                            List.of("0 0", "0 1", "1 1")),
                    new Litmus(
                            "CoWW",
                            "two stores to one location: does the earlier one remain?",
                            List.of("x=1 x=2", "x"),
                            List.of("x=1 x=2 |", "| x"),
                            "x",
                            "* 1 1",
                            List.of("0 2 2", "1 2 2", "2 2 2"),
                            List.of("0 2 2", "2 2 2")),
                    new Litmus(
                            "CoWR",
                            "a store and a load: does a store that was seen later lose?",
                            List.of("x=1 x", "x=2"),
                            List.of("x=1 | x |", "| | x=2"),
                            "x",
                            "2 1 1",
                            List.of("1 1 1", "1 2 1", "1 2 2", "2 2 2"),
                            List.of("1 1 1", "1 2 1", "1 2 2")),
                    new Litmus(
                            "IRIW",
                            "do two readers see two writers' stores in different orders?",
                            List.of("x=1", "y=1", "x y", "y x"),
                            List.of("x=1 |", "y=1 |", "| x y", "| y x"),
                            "",
                            "1 0 1 0",
                            List.of("0 0 0 0", "1 0 0 1", "1 1 1 1"),
                            List.of("0 0 0 0", "1 0 1 0", "1 1 1 1")),
                    new Litmus(
                            "WRC",
                            "is a store that was seen before a flag unseen after it?",
                            List.of("x=1", "x y=1", "y x"),
                            List.of("x=1 | |", "| x y=1 |", "| | y x"),
                            "",
                            "1 1 0",
                            List.of("0 1 0", "1 0 1", "1 1 1"),
                            List.of("0 1 0", "1 1 0", "1 1 1")),
                    new Litmus(
                            "ISA2",
                            "message passing by way of a third: is the data missing?",
                            List.of("x=1 y=1", "y z=1", "z x"),
                            List.of("x=1 y=1 | |", "| y z=1 |", "| | z x"),
                            "",
                            "1 1 0",
                            List.of("0 1 1", "1 0 1", "1 1 1"),
                            List.of("0 0 0", "1 1 0", "1 1 1")),
                    new Litmus(
                            "S",
                            "is a store that follows a seen flag lost to one before the flag?",
                            List.of("x=2 y=1", "y x=1"),
                            List.of("x=2 y=1 |", "| y x=1"),
                            "x",
                            "1 2 2",
                            List.of("0 1 1", "0 2 2", "1 1 1"),
                            List.of("0 1 1", "0 1 2", "0 2 2", "1 1 1")),
                    new Litmus(
                            "2+2W",
                            "do the earlier stores of both threads remain?",
                            List.of("x=1 y=2", "y=1 x=2"),
                            List.of("x=1 | y=2", "y=1 | x=2"),
                            "x y",
                            "1 1 1 1",
                            List.of("1 2 1 2", "2 1 2 1", "2 2 2 2"),
                            List.of("1 2 1 2", "2 1 1 2", "2 1 2 1")));

    public Litmus {
        threads = List.copyOf(threads);
        inSteps = List.copyOf(inSteps);
        bare = List.copyOf(bare);
        cached = List.copyOf(cached);
    }

    /**
     * @param stepped whether barriers separate accesses that conflict
     * @return the accesses of each thread
     */
    List<List<Access>> accesses(boolean stepped) {
        return (stepped ? inSteps : threads).stream().map(Litmus::parse).toList();
    }

    /** The indices of the locations whose final values belong to the outcome. */
    List<Integer> finalPlaces() {
        return parse(finals).stream().map(Access::place).toList();
    }

    private static List<Access> parse(String line) {
        return Arrays.stream(line.split(" "))
                .filter(word -> !word.isEmpty())
                .map(word ->
                        new Access(word.charAt(0), word.length() > 1 ? word.charAt(2) - '0' : -1))
                .toList();
    }

    /** The number of its locations, from x. */
    int locations() {
        return 1
                + accesses(false).stream()
                        .flatMap(List::stream)
                        .mapToInt(Access::place)
                        .max()
                        .orElse(0);
    }

    int loads() {
        return (int) accesses(false).stream().flatMap(List::stream).filter(Access::isLoad).count();
    }

    /** The number of values of an outcome. */
    int registers() {
        return loads() + FINAL_READERS * finalPlaces().size();
    }

    /** An outcome as text. */
    static String outcome(long[] registers, int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : " ").append(registers[i]);
        }
        return text.toString();
    }

    /** True for an outcome that fits a pattern, in which {@code *} stands for any value. */
    static boolean fits(String outcome, String pattern) {
        return outcome.matches(pattern.replace("*", "[0-9]"));
    }
}
