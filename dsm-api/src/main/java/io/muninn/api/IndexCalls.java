package io.muninn.api;

import io.muninn.api.Loop.Each2;
import io.muninn.api.Loop.Each3;
import io.muninn.api.Loop.EachWith2;
import io.muninn.api.Loop.EachWith3;
import io.muninn.api.Loop.Value2;
import io.muninn.api.Loop.Value3;
import java.util.function.IntConsumer;
import java.util.function.IntToDoubleFunction;
import java.util.function.ObjIntConsumer;

/**
 * Functions of an index in one form, whatever they take of it. Each class here is a template of
 * hidden classes, see {@link IndexLoops}.
 */
final class IndexCalls {
    private IndexCalls() {}

    /** Called with an index: plane and row are 0 where there are fewer. */
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

    /** The value of an index, likewise. */
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
}
