package io.muninn.api;

import static io.muninn.api.IndexLoops.ofOwnClass;

import io.muninn.api.Loop.Each2;
import io.muninn.api.Loop.Each3;
import io.muninn.api.Loop.EachWith2;
import io.muninn.api.Loop.EachWith3;
import io.muninn.api.Loop.LongValueWith;
import io.muninn.api.Loop.Value2;
import io.muninn.api.Loop.Value3;
import io.muninn.api.Loop.ValueWith;
import java.util.function.IntConsumer;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.ObjIntConsumer;

/**
 * Functions of an index in one form, regardless of their parameters. Each class here is a template
 * of hidden classes, see {@link IndexLoops}.
 */
final class IndexCalls {
    private IndexCalls() {}

    static Each<None> each(IntConsumer function) {
        return ofOwnClass(EachOf1.class, IntConsumer.class, function);
    }

    static Each<None> each(Each2 function) {
        return ofOwnClass(EachOf2.class, Each2.class, function);
    }

    static Each<None> each(Each3 function) {
        return ofOwnClass(EachOf3.class, Each3.class, function);
    }

    static <P> Each<P> eachWith(ObjIntConsumer<P> function) {
        return ofOwnClass(EachWithOf1.class, ObjIntConsumer.class, function);
    }

    static <P> Each<P> eachWith(EachWith2<P> function) {
        return ofOwnClass(EachWithOf2.class, EachWith2.class, function);
    }

    static <P> Each<P> eachWith(EachWith3<P> function) {
        return ofOwnClass(EachWithOf3.class, EachWith3.class, function);
    }

    static Value<None> value(IntToDoubleFunction function) {
        return ofOwnClass(ValueOf1.class, IntToDoubleFunction.class, function);
    }

    static Value<None> value(Value2 function) {
        return ofOwnClass(ValueOf2.class, Value2.class, function);
    }

    static Value<None> value(Value3 function) {
        return ofOwnClass(ValueOf3.class, Value3.class, function);
    }

    static <P> Value<P> valueWith(ValueWith<P> function) {
        return ofOwnClass(ValueWithOf1.class, ValueWith.class, function);
    }

    static LongValue<None> longValue(IntToLongFunction function) {
        return ofOwnClass(LongOf1.class, IntToLongFunction.class, function);
    }

    static <P> LongValue<P> longValueWith(LongValueWith<P> function) {
        return ofOwnClass(LongWithOf1.class, LongValueWith.class, function);
    }

    /** Called with an index. Plane and row are 0 if the domain has fewer ranges. */
    interface Each<P> {
        void at(P parameters, int plane, int row, int column);
    }

    static final class EachOf1 implements Each<None> {
        private final IntConsumer function;

        EachOf1(IntConsumer function) {
            this.function = function;
        }

        @Override
        public void at(None parameters, int plane, int row, int column) {
            function.accept(column);
        }
    }

    static final class EachOf2 implements Each<None> {
        private final Each2 function;

        EachOf2(Each2 function) {
            this.function = function;
        }

        @Override
        public void at(None parameters, int plane, int row, int column) {
            function.accept(row, column);
        }
    }

    static final class EachOf3 implements Each<None> {
        private final Each3 function;

        EachOf3(Each3 function) {
            this.function = function;
        }

        @Override
        public void at(None parameters, int plane, int row, int column) {
            function.accept(plane, row, column);
        }
    }

    static final class EachWithOf1<P> implements Each<P> {
        private final ObjIntConsumer<P> function;

        EachWithOf1(ObjIntConsumer<P> function) {
            this.function = function;
        }

        @Override
        public void at(P parameters, int plane, int row, int column) {
            function.accept(parameters, column);
        }
    }

    static final class EachWithOf2<P> implements Each<P> {
        private final EachWith2<P> function;

        EachWithOf2(EachWith2<P> function) {
            this.function = function;
        }

        @Override
        public void at(P parameters, int plane, int row, int column) {
            function.accept(parameters, row, column);
        }
    }

    static final class EachWithOf3<P> implements Each<P> {
        private final EachWith3<P> function;

        EachWithOf3(EachWith3<P> function) {
            this.function = function;
        }

        @Override
        public void at(P parameters, int plane, int row, int column) {
            function.accept(parameters, plane, row, column);
        }
    }

    /** The value of an index. Plane and row are 0 if the domain has fewer ranges. */
    interface Value<P> {
        double of(P parameters, int plane, int row, int column);
    }

    static final class ValueOf1 implements Value<None> {
        private final IntToDoubleFunction function;

        ValueOf1(IntToDoubleFunction function) {
            this.function = function;
        }

        @Override
        public double of(None parameters, int plane, int row, int column) {
            return function.applyAsDouble(column);
        }
    }

    static final class ValueOf2 implements Value<None> {
        private final Value2 function;

        ValueOf2(Value2 function) {
            this.function = function;
        }

        @Override
        public double of(None parameters, int plane, int row, int column) {
            return function.applyAsDouble(row, column);
        }
    }

    static final class ValueOf3 implements Value<None> {
        private final Value3 function;

        ValueOf3(Value3 function) {
            this.function = function;
        }

        @Override
        public double of(None parameters, int plane, int row, int column) {
            return function.applyAsDouble(plane, row, column);
        }
    }

    static final class ValueWithOf1<P> implements Value<P> {
        private final ValueWith<P> function;

        ValueWithOf1(ValueWith<P> function) {
            this.function = function;
        }

        @Override
        public double of(P parameters, int plane, int row, int column) {
            return function.applyAsDouble(parameters, column);
        }
    }

    /** The integer of an index. Plane and row are 0 if the domain has fewer ranges. */
    interface LongValue<P> {
        long of(P parameters, int plane, int row, int column);
    }

    static final class LongOf1 implements LongValue<None> {
        private final IntToLongFunction function;

        LongOf1(IntToLongFunction function) {
            this.function = function;
        }

        @Override
        public long of(None parameters, int plane, int row, int column) {
            return function.applyAsLong(column);
        }
    }

    static final class LongWithOf1<P> implements LongValue<P> {
        private final LongValueWith<P> function;

        LongWithOf1(LongValueWith<P> function) {
            this.function = function;
        }

        @Override
        public long of(P parameters, int plane, int row, int column) {
            return function.applyAsLong(parameters, column);
        }
    }
}
