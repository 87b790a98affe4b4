package io.muninn.verify.program;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Shrinks a program that fails, as long as it fails: removes units, initial stores, and then single
 * loads, stores and pauses, first many at a time and finally one by one, until none can be removed.
 *
 * <p>Source: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 28(2),
 * 2002; departure: only complements are tried, from halves downwards.
 *
 * <p><b>Bounded.</b> The number of tries has a limit. Equal programs and predicates give equal
 * results.
 */
public final class Shrinker {
    private final Predicate<Program> fails;
    private int triesLeft;

    private Shrinker(Predicate<Program> fails, int triesMax) {
        this.fails = fails;
        this.triesLeft = triesMax;
    }

    /**
     * @param program a program that fails
     * @param fails true for a program that fails in the same way; called with smaller programs than
     *     the given one
     * @return a program that fails, at worst the given one
     */
    public static Program shrink(Program program, Predicate<Program> fails, int triesMax) {
        return new Shrinker(fails, triesMax).shrink(program);
    }

    private Program shrink(Program program) {
        Program least = program;
        long size;
        do {
            size = size(least);
            least = shrinkUnits(least);
            least = shrinkInitial(least);
            least = shrinkUnits(least.split());
        } while (triesLeft > 0 && size(least) < size);
        return least;
    }

    private static long size(Program program) {
        return program.initial().size() + program.scripts().stream().mapToLong(List::size).sum();
    }

    private Program shrinkUnits(Program program) {
        List<Integer> needed =
                needed(program.units(), kept -> program.keep(new LinkedHashSet<>(kept)));
        return program.keep(new LinkedHashSet<>(needed));
    }

    private Program shrinkInitial(Program program) {
        return program.withInitial(needed(program.initial(), program::withInitial));
    }

    /** Returns the items that a program needs to fail. */
    private <T> List<T> needed(List<T> items, Function<List<T>, Program> program) {
        List<T> needed = items;
        int chunk = Math.max(1, needed.size() / 2);
        while (!needed.isEmpty()) {
            List<T> less = withoutChunks(needed, chunk, program);
            boolean done = chunk == 1 && less.size() == needed.size();
            needed = less;
            if (done || triesLeft <= 0) {
                break;
            }
            chunk = Math.max(1, chunk / 2);
        }
        return needed;
    }

    /**
     * Tries to remove each chunk in turn, the last ones first, because they depend on the others.
     */
    private <T> List<T> withoutChunks(
            List<T> items, int chunk, Function<List<T>, Program> program) {
        List<T> needed = new ArrayList<>(items);
        for (int end = items.size(); end > 0 && triesLeft > 0; end -= chunk) {
            List<T> less = new ArrayList<>(needed);
            less.subList(Math.max(0, end - chunk), end).clear();
            triesLeft--;
            if (fails.test(program.apply(less))) {
                needed = less;
            }
        }
        return needed;
    }
}
