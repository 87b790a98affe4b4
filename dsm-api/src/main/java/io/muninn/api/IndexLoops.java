package io.muninn.api;

import io.muninn.api.Domain.Line;
import io.muninn.api.Loop.Body;
import io.muninn.api.Loop.LongStore;
import io.muninn.api.Loop.Scan;
import io.muninn.api.Loop.Store;
import io.muninn.api.Loop.ThrownAt;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * Bodies that call a function with each index of a part. Every body has its own hidden classes,
 * defined from the templates here and in {@link IndexCalls}. The JVM profiles calls by method, so
 * it inlines the function into the loop, however many loops a program has. With one class for all
 * bodies, the call would be megamorphic: it would not be inlined, and take some nanoseconds.
 */
final class IndexLoops {
    private IndexLoops() {}

    static <P> Body<P, None> each(IndexCalls.Each<P> call) {
        return ofOwnClass(EachIndex.class, IndexCalls.Each.class, call);
    }

    /**
     * @param nothing the value of a part without indices
     */
    static <P> Body<P, Double> combined(
            DoubleBinaryOperator operator, double nothing, IndexCalls.Value<P> value) {
        Combined<P> combined = new Combined<>(operator, nothing, value);
        return ofOwnClass(CombinedIndices.class, Combined.class, combined);
    }

    /** As {@link #combined}, of integers. */
    static <P> Body<P, Long> combinedLongs(
            LongBinaryOperator operator, long nothing, IndexCalls.LongValue<P> value) {
        CombinedLong<P> combined = new CombinedLong<>(operator, nothing, value);
        return ofOwnClass(CombinedLongs.class, CombinedLong.class, combined);
    }

    /**
     * The best value of a part and the lowest index at which it occurs. The part has at least one
     * index.
     */
    static <P> Body<P, DoubleAt> best(boolean isLeast, IndexCalls.Value<P> value) {
        return ofOwnClass(BestIndex.class, Best.class, new Best<>(isLeast, value));
    }

    /** As {@link #best}, of integers. */
    static <P> Body<P, LongAt> bestLong(boolean isLeast, IndexCalls.LongValue<P> value) {
        return ofOwnClass(BestLong.class, BestOfLong.class, new BestOfLong<>(isLeast, value));
    }

    static Scan<None, Double> scan(boolean isInclusive, IndexCalls.Value<None> value, Store store) {
        Objects.requireNonNull(store, "the store of a scan is null");
        Scanned scanned = new Scanned(isInclusive, value, store);
        return ofOwnClass(ScanOfIndices.class, Scanned.class, scanned);
    }

    static Scan<None, Long> longScan(
            boolean isInclusive, IndexCalls.LongValue<None> value, LongStore store) {
        Objects.requireNonNull(store, "the store of a scan is null");
        ScannedLong scanned = new ScannedLong(isInclusive, value, store);
        return ofOwnClass(ScanOfLongs.class, ScannedLong.class, scanned);
    }

    private record Scanned(boolean isInclusive, IndexCalls.Value<None> value, Store store) {}

    private record ScannedLong(
            boolean isInclusive, IndexCalls.LongValue<None> value, LongStore store) {}

    private record Combined<P>(
            DoubleBinaryOperator operator, double nothing, IndexCalls.Value<P> value) {}

    private record CombinedLong<P>(
            LongBinaryOperator operator, long nothing, IndexCalls.LongValue<P> value) {}

    private record Best<P>(boolean isLeast, IndexCalls.Value<P> value) {
        /** True if a value is better than another. A NaN is better than any number. */
        boolean isBetter(double value, double than) {
            if (Double.isNaN(value) || Double.isNaN(than)) {
                return !Double.isNaN(than);
            }
            int order = Double.compare(value, than);
            return isLeast ? order < 0 : order > 0;
        }
    }

    private record BestOfLong<P>(boolean isLeast, IndexCalls.LongValue<P> value) {
        boolean isBetter(long value, long than) {
            return isLeast ? value < than : value > than;
        }
    }

    /**
     * Creates an instance of a hidden class of its own.
     *
     * @param template has one constructor, with one parameter of {@code type}
     */
    @SuppressWarnings("unchecked") // a template is of the type that its maker returns
    static <T, F> T ofOwnClass(Class<?> template, Class<F> type, F function) {
        Objects.requireNonNull(function, "the body of a loop is null");
        try {
            Class<?> own =
                    MethodHandles.lookup()
                            .defineHiddenClass(
                                    bytes(template),
                                    false,
                                    MethodHandles.Lookup.ClassOption.NESTMATE)
                            .lookupClass();
            return (T) own.getDeclaredConstructor(type).newInstance(function);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("no class like " + template, impossible);
        }
    }

    private static byte[] bytes(Class<?> template) {
        String name = template.getName();
        String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
        try (InputStream in = template.getResourceAsStream(file)) {
            return in.readAllBytes();
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    private static final class EachIndex<P> implements Body<P, None> {
        private final IndexCalls.Each<P> call;

        EachIndex(IndexCalls.Each<P> call) {
            this.call = call;
        }

        @Override
        public None run(P parameters, Part part) {
            for (Line line : part.lines()) {
                int plane = line.plane();
                int row = line.row();
                int column = line.columns().from();
                try {
                    for (int to = line.columns().to(); column < to; column++) {
                        call.at(parameters, plane, row, column);
                    }
                } catch (Throwable thrown) {
                    throw new ThrownAt(part.domain().position(line, column), thrown);
                }
            }
            return None.NONE;
        }
    }

    private static final class CombinedIndices<P> implements Body<P, Double> {
        private final Combined<P> combined;

        CombinedIndices(Combined<P> combined) {
            this.combined = combined;
        }

        @Override
        public Double run(P parameters, Part part) {
            double value = combined.nothing;
            for (Line line : part.lines()) {
                int plane = line.plane();
                int row = line.row();
                int column = line.columns().from();
                try {
                    for (int to = line.columns().to(); column < to; column++) {
                        double next = combined.value.of(parameters, plane, row, column);
                        value = combined.operator.applyAsDouble(value, next);
                    }
                } catch (Throwable thrown) {
                    throw new ThrownAt(part.domain().position(line, column), thrown);
                }
            }
            return value;
        }
    }

    private static final class CombinedLongs<P> implements Body<P, Long> {
        private final CombinedLong<P> combined;

        CombinedLongs(CombinedLong<P> combined) {
            this.combined = combined;
        }

        @Override
        public Long run(P parameters, Part part) {
            long value = combined.nothing;
            int index = part.from();
            try {
                for (int to = part.to(); index < to; index++) {
                    long next = combined.value.of(parameters, 0, 0, index);
                    value = combined.operator.applyAsLong(value, next);
                }
            } catch (Throwable thrown) {
                throw new ThrownAt(index, thrown);
            }
            return value;
        }
    }

    private static final class BestIndex<P> implements Body<P, DoubleAt> {
        private final Best<P> best;

        BestIndex(Best<P> best) {
            this.best = best;
        }

        @Override
        public DoubleAt run(P parameters, Part part) {
            checkNotEmpty(part);
            int index = part.from();
            try {
                double value = best.value.of(parameters, 0, 0, index);
                int at = index;
                for (index++; index < part.to(); index++) {
                    double next = best.value.of(parameters, 0, 0, index);
                    if (best.isBetter(next, value)) {
                        value = next;
                        at = index;
                    }
                }
                return new DoubleAt(value, at);
            } catch (Throwable thrown) {
                throw new ThrownAt(index, thrown);
            }
        }
    }

    private static final class BestLong<P> implements Body<P, LongAt> {
        private final BestOfLong<P> best;

        BestLong(BestOfLong<P> best) {
            this.best = best;
        }

        @Override
        public LongAt run(P parameters, Part part) {
            checkNotEmpty(part);
            int index = part.from();
            try {
                long value = best.value.of(parameters, 0, 0, index);
                int at = index;
                for (index++; index < part.to(); index++) {
                    long next = best.value.of(parameters, 0, 0, index);
                    if (best.isBetter(next, value)) {
                        value = next;
                        at = index;
                    }
                }
                return new LongAt(value, at);
            } catch (Throwable thrown) {
                throw new ThrownAt(index, thrown);
            }
        }
    }

    private static void checkNotEmpty(Part part) {
        if (part.range().isEmpty()) {
            throw new NoSuchElementException("there is no index");
        }
    }

    private static final class ScanOfIndices implements Scan<None, Double> {
        private final Scanned scanned;

        ScanOfIndices(Scanned scanned) {
            this.scanned = scanned;
        }

        @Override
        public void store(None parameters, Part part, Optional<Double> before) {
            double sum = before.orElse(0.0);
            int index = part.from();
            try {
                for (int to = part.to(); index < to; index++) {
                    double next = sum + scanned.value.of(parameters, 0, 0, index);
                    scanned.store.accept(index, scanned.isInclusive ? next : sum);
                    sum = next;
                }
            } catch (Throwable thrown) {
                throw new ThrownAt(index, thrown);
            }
        }
    }

    private static final class ScanOfLongs implements Scan<None, Long> {
        private final ScannedLong scanned;

        ScanOfLongs(ScannedLong scanned) {
            this.scanned = scanned;
        }

        @Override
        public void store(None parameters, Part part, Optional<Long> before) {
            long sum = before.orElse(0L);
            int index = part.from();
            try {
                for (int to = part.to(); index < to; index++) {
                    long next = sum + scanned.value.of(parameters, 0, 0, index);
                    scanned.store.accept(index, scanned.isInclusive ? next : sum);
                    sum = next;
                }
            } catch (Throwable thrown) {
                throw new ThrownAt(index, thrown);
            }
        }
    }
}
