package io.muninn.verify.mutate;

import io.muninn.verify.mutate.Mutant.Kind;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Mutants of the kernel, drawn by a seed, and their trials in the simulator. Kinds of edits are
 * drawn with equal probability, and so are places within a kind.
 *
 * <p><b>Threads.</b> Any, once {@link #reach} has returned.
 */
public final class Mutants {
    private static final MethodType REACH = MethodType.methodType(BitSet.class, int.class);
    private static final MethodType RUN =
            MethodType.methodType(
                    String.class, int.class, int[].class, int.class, int[].class, long.class);

    /** A part of the trials, its duration, and the lines that it reaches. */
    private record Part(int number, long nanos, BitSet reached) {}

    private final Map<Kind, List<Mutant>> all = new EnumMap<>(Kind.class);
    private final Lines lines = new Lines();
    private final Map<String, byte[]> reporting = new HashMap<>(); // by class
    private final List<Part> parts = new ArrayList<>(); // those that ran, quickest first

    /** Reads the kernel's classes. */
    public Mutants() {
        this(List.of());
    }

    /**
     * Reads the kernel's classes.
     *
     * @param classes simple names of those that are changed, with the classes within them; all of
     *     them if none is given
     * @throws IllegalArgumentException if the kernel has no such class
     */
    public Mutants(List<String> classes) {
        for (String wanted : classes) {
            if (KernelClasses.names().stream().noneMatch(name -> isOf(name, wanted))) {
                throw new IllegalArgumentException("the kernel has no class " + wanted);
            }
        }
        for (String name : KernelClasses.names()) {
            reporting.put(name, Mutator.reporting(name, lines));
            if (!classes.isEmpty() && classes.stream().noneMatch(each -> isOf(name, each))) {
                continue;
            }
            for (Mutant mutant : Mutator.mutants(name)) {
                all.computeIfAbsent(mutant.kind(), _ -> new ArrayList<>()).add(mutant);
            }
        }
    }

    private static boolean isOf(String name, String simple) {
        String own = name.substring(name.lastIndexOf('.') + 1);
        return own.equals(simple) || own.startsWith(simple + "$");
    }

    /** The number of all mutants. */
    public int count() {
        return all.values().stream().mapToInt(List::size).sum();
    }

    /**
     * Draws mutants, all different.
     *
     * @return equal mutants for equal seeds; all if there are no more
     */
    public List<Mutant> draw(long seed, int count) {
        Random random = new Random(seed);
        List<List<Mutant>> left = new ArrayList<>();
        for (List<Mutant> ofKind : all.values()) {
            List<Mutant> shuffled = new ArrayList<>(ofKind);
            Collections.shuffle(shuffled, random);
            left.add(shuffled);
        }
        List<Mutant> drawn = new ArrayList<>();
        while (drawn.size() < count && !left.isEmpty()) {
            List<Mutant> ofKind = left.get(random.nextInt(left.size()));
            drawn.add(ofKind.removeLast());
            left.removeIf(List::isEmpty);
        }
        return drawn;
    }

    /**
     * Runs the unchanged kernel, to determine the lines that each part of the trials reaches: for a
     * mutant, only parts that reach its line are run.
     *
     * @throws IllegalStateException if the unchanged kernel fails
     */
    public void reach(long limitNanos, int jobs) throws InterruptedException {
        long startNanos = System.nanoTime();
        List<List<Part>> found = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        for (int i = 0; i < jobs; i++) {
            int first = i;
            List<Part> own = new ArrayList<>();
            found.add(own);
            threads.add(
                    Thread.ofPlatform()
                            .name("muninn-reach-" + i)
                            .daemon(true)
                            .start(() -> {
                                try {
                                    MethodHandle trial = trial(reporting, "reach", REACH);
                                    long leftNanos = limitNanos;
                                    for (int part = first; leftNanos > 0; part += jobs) {
                                        long begin = System.nanoTime();
                                        BitSet reached = (BitSet) trial.invokeExact(part);
                                        long end = System.nanoTime();
                                        own.add(new Part(part, end - begin, reached));
                                        leftNanos = limitNanos - (end - startNanos);
                                    }
                                } catch (Throwable broken) {
                                    failure.set(broken);
                                }
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new IllegalStateException("the kernel as it is fails", failure.get());
        }
        found.forEach(parts::addAll);
        parts.sort(Comparator.comparingLong(Part::nanos));
    }

    /** Describes the result of {@link #reach}. */
    public String describeReach() {
        BitSet all = new BitSet();
        parts.forEach(part -> all.or(part.reached()));
        return parts.size()
                + " parts of the trials reach "
                + all.cardinality()
                + " of "
                + lines.count()
                + " lines";
    }

    /** True if a part that ran reaches the mutant. */
    public boolean isReached(Mutant mutant) {
        return parts.stream().anyMatch(part -> reaches(part, mutant));
    }

    /**
     * The mutants of a list, in one copy of the classes: each class contains the code of all its
     * changes, of which one is active. Kernels, trials and checkers have no state in static fields,
     * so a mutant does not affect the next one; all use the compiled code of the copy.
     *
     * <p><b>Threads.</b> One.
     */
    public final class Copy {
        private final List<Mutant> mutants;
        private final MethodHandle run;

        /**
         * @param mutants as returned by {@link #draw}
         */
        public Copy(List<Mutant> mutants) {
            this.mutants = mutants;
            Map<String, byte[]> changed = new HashMap<>();
            KernelClasses.names()
                    .forEach(name -> changed.put(name, Mutator.changed(name, mutants)));
            try {
                run = trial(changed, "run", RUN);
            } catch (ReflectiveOperationException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        /**
         * Runs trials with a mutant, first the parts that {@link #reach} found to reach it.
         *
         * @param number its place in the list; negative for the unchanged kernel
         * @param next one element: how many of its trials have run; updated by this call
         * @return the checker that failed and the part; empty if none did in the time
         */
        public String killer(int number, int[] next, long limitNanos) {
            List<Part> reaching =
                    parts.stream()
                            .filter(part -> number < 0 || reaches(part, mutants.get(number)))
                            .toList();
            int[] first = inTurn(reaching);
            int last = parts.stream().mapToInt(Part::number).max().orElse(-1);
            try {
                return (String) run.invokeExact(number, first, last, next, limitNanos);
            } catch (Throwable impossible) { // such as a VerifyError
                throw new IllegalStateException("mutant " + number, impossible);
            }
        }
    }

    /**
     * Orders parts as one of each kind of trial, then another of each, and so on: trials of one
     * kind may find a mutant that those of another kind cannot.
     */
    private static int[] inTurn(List<Part> quickestFirst) {
        Map<Integer, ArrayDeque<Integer>> kinds = new TreeMap<>();
        for (Part part : quickestFirst) {
            kinds.computeIfAbsent(MutantTrial.kind(part.number()), _ -> new ArrayDeque<>())
                    .add(part.number());
        }
        List<Integer> ordered = new ArrayList<>();
        while (!kinds.isEmpty()) {
            kinds.values().forEach(ofKind -> ordered.add(ofKind.remove()));
            kinds.values().removeIf(ArrayDeque::isEmpty);
        }
        return ordered.stream().mapToInt(Integer::intValue).toArray();
    }

    private boolean reaches(Part part, Mutant mutant) {
        return part.reached().get(lines.of(mutant));
    }

    /** A method of {@link MutantTrial}, in a copy of the classes. */
    private static MethodHandle trial(Map<String, byte[]> changed, String name, MethodType type)
            throws ReflectiveOperationException {
        ClassLoader copy = new MutantClasses(Mutants.class.getClassLoader(), changed);
        Class<?> trial = copy.loadClass(MutantTrial.class.getName());
        return MethodHandles.lookup().findStatic(trial, name, type);
    }
}
