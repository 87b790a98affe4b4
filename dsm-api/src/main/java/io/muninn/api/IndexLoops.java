package io.muninn.api;

import io.muninn.api.Domain.Line;
import io.muninn.api.Loop.Body;
import io.muninn.api.Loop.ThrownAt;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.DoubleBinaryOperator;

/**
 * Bodies that call a function with each index of a part. Every body has hidden classes of its own,
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

    /** What {@link CombinedIndices} does with each index. */
    private record Combined<P>(
            DoubleBinaryOperator operator, double nothing, IndexCalls.Value<P> value) {}

    /**
     * An instance of a class of its own.
     *
     * @param template has one constructor, with that parameter
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
}
