package io.muninn.api;

import io.muninn.api.Loop.Body;
import io.muninn.api.Loop.ThrownAt;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntConsumer;
import java.util.function.IntToDoubleFunction;
import java.util.function.ObjIntConsumer;

/**
 * Bodies that call a function with each index of a part. Every body has a hidden class of its own,
 * defined from one of the templates here. The JVM profiles calls by method, so it inlines the
 * function into the loop, however many loops a program has. With one class for all bodies, the call
 * would be megamorphic: it would not be inlined, and take some nanoseconds.
 */
final class IndexLoops {
    private IndexLoops() {}

    static Body<None, None> each(IntConsumer function) {
        return ofOwnClass(EachIndex.class, IntConsumer.class, function);
    }

    static <P> Body<P, None> each(ObjIntConsumer<P> function) {
        return ofOwnClass(EachWithParameters.class, ObjIntConsumer.class, function);
    }

    /**
     * @param nothing the value of a part without indices
     */
    static Body<None, Double> combined(
            DoubleBinaryOperator operator, double nothing, IntToDoubleFunction function) {
        Combined combined = new Combined(operator, nothing, function);
        return ofOwnClass(CombinedIndices.class, Combined.class, combined);
    }

    /** What {@link CombinedIndices} does with each index. */
    private record Combined(
            DoubleBinaryOperator operator, double nothing, IntToDoubleFunction function) {}

    @SuppressWarnings("unchecked") // a template is a body of the type that its maker returns
    private static <P, T, F> Body<P, T> ofOwnClass(Class<?> template, Class<F> type, F function) {
        try {
            Class<?> own =
                    MethodHandles.lookup()
                            .defineHiddenClass(
                                    bytes(template),
                                    false,
                                    MethodHandles.Lookup.ClassOption.NESTMATE)
                            .lookupClass();
            return (Body<P, T>) own.getDeclaredConstructor(type).newInstance(function);
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

    private static final class EachIndex implements Body<None, None> {
        private final IntConsumer function;

        EachIndex(IntConsumer function) {
            this.function = function;
        }

        @Override
        public None run(None parameters, Part part) {
            int index = part.from();
            try {
                for (int to = part.to(); index < to; index++) {
                    function.accept(index);
                }
            } catch (Throwable thrown) {
                throw new ThrownAt(index, thrown);
            }
            return None.NONE;
        }
    }

    private static final class EachWithParameters<P> implements Body<P, None> {
        private final ObjIntConsumer<P> function;

        EachWithParameters(ObjIntConsumer<P> function) {
            this.function = function;
        }

        @Override
        public None run(P parameters, Part part) {
            int index = part.from();
            try {
                for (int to = part.to(); index < to; index++) {
                    function.accept(parameters, index);
                }
            } catch (Throwable thrown) {
                throw new ThrownAt(index, thrown);
            }
            return None.NONE;
        }
    }

    private static final class CombinedIndices implements Body<None, Double> {
        private final Combined combined;

        CombinedIndices(Combined combined) {
            this.combined = combined;
        }

        @Override
        public Double run(None parameters, Part part) {
            double value = combined.nothing;
            int index = part.from();
            try {
                for (int to = part.to(); index < to; index++) {
                    double next = combined.function.applyAsDouble(index);
                    value = combined.operator.applyAsDouble(value, next);
                }
            } catch (Throwable thrown) {
                throw new ThrownAt(index, thrown);
            }
            return value;
        }
    }
}
