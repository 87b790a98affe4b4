package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.ViewBinder;
import io.muninn.api.spi.ViewLink;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The calls of a guard; the build runs these tests in the JVM that simulates. */
@EnabledIfSystemProperty(named = "muninn.simulated", matches = "true")
class GuardedViewsTest {
    private static final int LENGTH = 10;
    private static final StructLayout BODY =
            MemoryLayout.structLayout(
                    ValueLayout.JAVA_LONG.withName("a"), ValueLayout.JAVA_LONG.withName("b"));

    /** Methods that touch no memory. */
    private static final List<String> SHAPE =
            List.of("length", "planes", "rows", "columns", "layout", "offset");

    /** Records the calls, and provides the bytes that are to be loaded. */
    private static final class Recorder implements AccessGuard {
        private final List<String> calls = new ArrayList<>();
        private final MemorySegment memory;
        private final Arena held = Arena.ofConfined();
        private byte brings;

        Recorder(MemorySegment memory) {
            this.memory = memory;
        }

        @Override
        public void load(long offset, long bytes) {
            calls.add("load " + offset + " " + bytes);
            memory.asSlice(offset, bytes).fill(brings);
        }

        @Override
        public void store(long offset, long bytes) {
            calls.add("store " + offset + " " + bytes);
            memory.asSlice(offset, bytes).fill(brings);
        }

        @Override
        public MemorySegment lend(MemorySegment part, long offset, Mode mode) {
            calls.add("lend " + offset + " " + part.byteSize() + " " + mode);
            return part.reinterpret(held, null);
        }
    }

    /** One operation of one kind of view, and the expected call of a guard. */
    private record Use<V extends SharedVariable>(
            String method, Function<Integer, V> declaration, Consumer<V> use, String expected) {
        @Override
        public String toString() {
            return type() + "." + method + " " + expected;
        }

        String type() {
            return declaration.apply(LENGTH).getClass().getSimpleName();
        }

        List<String> run() {
            V view = declaration.apply(LENGTH);
            Recorder guard = guarded(view);
            use.accept(view);
            return guard.calls;
        }
    }

    private static Recorder guarded(SharedVariable view) {
        MemorySegment memory = Arena.ofAuto().allocate(ViewBinder.spec(view).bytes(), Long.BYTES);
        Recorder guard = new Recorder(memory);
        ViewBinder.bind(view, "data", memory, guard, ViewLink.LOCAL);
        return guard;
    }

    static List<Use<?>> uses() {
        List<Use<?>> uses = new ArrayList<>();
        addIntegers(uses);
        addNarrow(uses);
        addFloating(uses);
        addMatrices(uses);
        addCubes(uses);
        addStructs(uses);
        addOrderedMembers(uses);
        return uses;
    }

    private static void addIntegers(List<Use<?>> to) {
        Function<Integer, LongArray> longs = LongArray::of;
        to.add(new Use<>("get", longs, v -> v.get(3), "load 24 8"));
        to.add(new Use<>("set", longs, v -> v.set(3, 1), "store 24 8"));
        to.add(new Use<>("getVolatile", longs, v -> v.getVolatile(3), "load 24 8"));
        to.add(new Use<>("setVolatile", longs, v -> v.setVolatile(3, 1), "store 24 8"));
        to.add(new Use<>("getAndAdd", longs, v -> v.getAndAdd(3, 1), "store 24 8"));
        to.add(new Use<>("compareAndSet", longs, v -> v.compareAndSet(3, 1, 2), "store 24 8"));
        to.add(new Use<>("copyTo", longs, v -> v.copyTo(2, new long[4], 1, 3), "load 16 24"));
        to.add(new Use<>("copyFrom", longs, v -> v.copyFrom(2, new long[4], 1, 3), "store 16 24"));
        to.add(new Use<>("fill", longs, v -> v.fill(1), "store 0 80"));
        to.add(new Use<>("getAcquire", longs, v -> v.getAcquire(3), "load 24 8"));
        to.add(new Use<>("setRelease", longs, v -> v.setRelease(3, 1), "store 24 8"));
        to.add(new Use<>("fill", longs, v -> v.fill(2, 5, 1), "store 16 24"));
        to.add(lent(longs, v -> v.segment(2, 5, Mode.READ), "load 16 24|lend 16 24 READ"));
        to.add(lent(longs, v -> v.segment(2, 5, Mode.WRITE), "store 16 24|lend 16 24 WRITE"));
        Function<Integer, IntArray> ints = IntArray::of;
        to.add(new Use<>("get", ints, v -> v.get(3), "load 12 4"));
        to.add(new Use<>("set", ints, v -> v.set(3, 1), "store 12 4"));
        to.add(new Use<>("getVolatile", ints, v -> v.getVolatile(3), "load 12 4"));
        to.add(new Use<>("setVolatile", ints, v -> v.setVolatile(3, 1), "store 12 4"));
        to.add(new Use<>("getAndAdd", ints, v -> v.getAndAdd(3, 1), "store 12 4"));
        to.add(new Use<>("compareAndSet", ints, v -> v.compareAndSet(3, 1, 2), "store 12 4"));
        to.add(new Use<>("copyTo", ints, v -> v.copyTo(2, new int[4], 1, 3), "load 8 12"));
        to.add(new Use<>("copyFrom", ints, v -> v.copyFrom(2, new int[4], 1, 3), "store 8 12"));
        to.add(new Use<>("fill", ints, v -> v.fill(1), "store 0 40"));
        to.add(new Use<>("getAcquire", ints, v -> v.getAcquire(3), "load 12 4"));
        to.add(new Use<>("setRelease", ints, v -> v.setRelease(3, 1), "store 12 4"));
        to.add(new Use<>("fill", ints, v -> v.fill(2, 5, 1), "store 8 12"));
        to.add(lent(ints, v -> v.segment(2, 5, Mode.READ), "load 8 12|lend 8 12 READ"));
        to.add(lent(ints, v -> v.segment(2, 5, Mode.WRITE), "store 8 12|lend 8 12 WRITE"));
    }

    private static void addNarrow(List<Use<?>> to) {
        Function<Integer, ShortArray> shorts = ShortArray::of;
        to.add(new Use<>("get", shorts, v -> v.get(3), "load 6 2"));
        to.add(new Use<>("set", shorts, v -> v.set(3, (short) 1), "store 6 2"));
        to.add(new Use<>("copyTo", shorts, v -> v.copyTo(2, new short[4], 1, 3), "load 4 6"));
        to.add(new Use<>("copyFrom", shorts, v -> v.copyFrom(2, new short[4], 1, 3), "store 4 6"));
        to.add(new Use<>("fill", shorts, v -> v.fill((short) 1), "store 0 20"));
        to.add(new Use<>("getVolatile", shorts, v -> v.getVolatile(3), "load 6 2"));
        to.add(new Use<>("setVolatile", shorts, v -> v.setVolatile(3, (short) 1), "store 6 2"));
        to.add(new Use<>("getAcquire", shorts, v -> v.getAcquire(3), "load 6 2"));
        to.add(new Use<>("setRelease", shorts, v -> v.setRelease(3, (short) 1), "store 6 2"));
        to.add(new Use<>("fill", shorts, v -> v.fill(2, 5, (short) 1), "store 4 6"));
        to.add(lent(shorts, v -> v.segment(2, 5, Mode.READ), "load 4 6|lend 4 6 READ"));
        to.add(lent(shorts, v -> v.segment(2, 5, Mode.WRITE), "store 4 6|lend 4 6 WRITE"));
        Function<Integer, ByteArray> bytes = ByteArray::of;
        to.add(new Use<>("get", bytes, v -> v.get(3), "load 3 1"));
        to.add(new Use<>("set", bytes, v -> v.set(3, (byte) 1), "store 3 1"));
        to.add(new Use<>("copyTo", bytes, v -> v.copyTo(2, new byte[4], 1, 3), "load 2 3"));
        to.add(new Use<>("copyFrom", bytes, v -> v.copyFrom(2, new byte[4], 1, 3), "store 2 3"));
        to.add(new Use<>("fill", bytes, v -> v.fill((byte) 1), "store 0 10"));
        to.add(new Use<>("getVolatile", bytes, v -> v.getVolatile(3), "load 3 1"));
        to.add(new Use<>("setVolatile", bytes, v -> v.setVolatile(3, (byte) 1), "store 3 1"));
        to.add(new Use<>("getAcquire", bytes, v -> v.getAcquire(3), "load 3 1"));
        to.add(new Use<>("setRelease", bytes, v -> v.setRelease(3, (byte) 1), "store 3 1"));
        to.add(new Use<>("fill", bytes, v -> v.fill(2, 5, (byte) 1), "store 2 3"));
        to.add(lent(bytes, v -> v.segment(2, 5, Mode.READ), "load 2 3|lend 2 3 READ"));
        to.add(lent(bytes, v -> v.segment(2, 5, Mode.WRITE), "store 2 3|lend 2 3 WRITE"));
    }

    private static void addFloating(List<Use<?>> to) {
        Function<Integer, FloatArray> floats = FloatArray::of;
        to.add(new Use<>("get", floats, v -> v.get(3), "load 12 4"));
        to.add(new Use<>("set", floats, v -> v.set(3, 1), "store 12 4"));
        to.add(new Use<>("copyTo", floats, v -> v.copyTo(2, new float[4], 1, 3), "load 8 12"));
        to.add(new Use<>("copyFrom", floats, v -> v.copyFrom(2, new float[4], 1, 3), "store 8 12"));
        to.add(new Use<>("fill", floats, v -> v.fill(1), "store 0 40"));
        to.add(new Use<>("getVolatile", floats, v -> v.getVolatile(3), "load 12 4"));
        to.add(new Use<>("setVolatile", floats, v -> v.setVolatile(3, 1), "store 12 4"));
        to.add(new Use<>("getAcquire", floats, v -> v.getAcquire(3), "load 12 4"));
        to.add(new Use<>("setRelease", floats, v -> v.setRelease(3, 1), "store 12 4"));
        to.add(new Use<>("fill", floats, v -> v.fill(2, 5, 1), "store 8 12"));
        to.add(lent(floats, v -> v.segment(2, 5, Mode.READ), "load 8 12|lend 8 12 READ"));
        to.add(lent(floats, v -> v.segment(2, 5, Mode.WRITE), "store 8 12|lend 8 12 WRITE"));
        Function<Integer, DoubleArray> doubles = DoubleArray::of;
        to.add(new Use<>("get", doubles, v -> v.get(3), "load 24 8"));
        to.add(new Use<>("set", doubles, v -> v.set(3, 1), "store 24 8"));
        to.add(new Use<>("copyTo", doubles, v -> v.copyTo(2, new double[4], 1, 3), "load 16 24"));
        to.add(
                new Use<>(
                        "copyFrom",
                        doubles,
                        v -> v.copyFrom(2, new double[4], 1, 3),
                        "store 16 24"));
        to.add(new Use<>("fill", doubles, v -> v.fill(1), "store 0 80"));
        to.add(new Use<>("getVolatile", doubles, v -> v.getVolatile(3), "load 24 8"));
        to.add(new Use<>("setVolatile", doubles, v -> v.setVolatile(3, 1), "store 24 8"));
        to.add(new Use<>("getAcquire", doubles, v -> v.getAcquire(3), "load 24 8"));
        to.add(new Use<>("setRelease", doubles, v -> v.setRelease(3, 1), "store 24 8"));
        to.add(new Use<>("fill", doubles, v -> v.fill(2, 5, 1), "store 16 24"));
        to.add(lent(doubles, v -> v.segment(2, 5, Mode.READ), "load 16 24|lend 16 24 READ"));
        to.add(lent(doubles, v -> v.segment(2, 5, Mode.WRITE), "store 16 24|lend 16 24 WRITE"));
    }

    private static void addMatrices(List<Use<?>> to) {
        Function<Integer, DoubleMatrix> doubles = rows -> DoubleMatrix.of(rows, 3);
        to.add(new Use<>("get", doubles, v -> v.get(2, 1), "load 56 8"));
        to.add(new Use<>("set", doubles, v -> v.set(2, 1, 1), "store 56 8"));
        to.add(new Use<>("row", doubles, v -> v.row(2).get(1), "load 56 8"));
        to.add(new Use<>("row", doubles, v -> v.row(2).set(1, 1), "store 56 8"));
        to.add(new Use<>("copyTo", doubles, v -> v.copyTo(2, new double[3]), "load 48 24"));
        to.add(new Use<>("copyFrom", doubles, v -> v.copyFrom(2, new double[3]), "store 48 24"));
        to.add(new Use<>("fill", doubles, v -> v.fill(1), "store 0 240"));
        to.add(new Use<>("fill", doubles, v -> v.fill(2, 4, 1), "store 48 48"));
        to.add(new Use<>("prefetchRow", doubles, v -> v.prefetchRow(2, Mode.WRITE), ""));
        addLent(to, doubles, 48, 72, (v, mode) -> v.segment(2, 5, mode));
        Function<Integer, FloatMatrix> floats = rows -> FloatMatrix.of(rows, 3);
        to.add(new Use<>("get", floats, v -> v.get(2, 1), "load 28 4"));
        to.add(new Use<>("set", floats, v -> v.set(2, 1, 1), "store 28 4"));
        to.add(new Use<>("row", floats, v -> v.row(2).get(1), "load 28 4"));
        to.add(new Use<>("row", floats, v -> v.row(2).set(1, 1), "store 28 4"));
        to.add(new Use<>("copyTo", floats, v -> v.copyTo(2, new float[3]), "load 24 12"));
        to.add(new Use<>("copyFrom", floats, v -> v.copyFrom(2, new float[3]), "store 24 12"));
        to.add(new Use<>("fill", floats, v -> v.fill(1), "store 0 120"));
        to.add(new Use<>("fill", floats, v -> v.fill(2, 4, 1), "store 24 24"));
        to.add(new Use<>("prefetchRow", floats, v -> v.prefetchRow(2, Mode.WRITE), ""));
        addLent(to, floats, 24, 36, (v, mode) -> v.segment(2, 5, mode));
        Function<Integer, IntMatrix> ints = rows -> IntMatrix.of(rows, 3);
        to.add(new Use<>("get", ints, v -> v.get(2, 1), "load 28 4"));
        to.add(new Use<>("set", ints, v -> v.set(2, 1, 1), "store 28 4"));
        to.add(new Use<>("row", ints, v -> v.row(2).get(1), "load 28 4"));
        to.add(new Use<>("row", ints, v -> v.row(2).set(1, 1), "store 28 4"));
        to.add(new Use<>("copyTo", ints, v -> v.copyTo(2, new int[3]), "load 24 12"));
        to.add(new Use<>("copyFrom", ints, v -> v.copyFrom(2, new int[3]), "store 24 12"));
        to.add(new Use<>("fill", ints, v -> v.fill(1), "store 0 120"));
        to.add(new Use<>("fill", ints, v -> v.fill(2, 4, 1), "store 24 24"));
        to.add(new Use<>("prefetchRow", ints, v -> v.prefetchRow(2, Mode.WRITE), ""));
        addLent(to, ints, 24, 36, (v, mode) -> v.segment(2, 5, mode));
        Function<Integer, LongMatrix> longs = rows -> LongMatrix.of(rows, 3);
        to.add(new Use<>("get", longs, v -> v.get(2, 1), "load 56 8"));
        to.add(new Use<>("set", longs, v -> v.set(2, 1, 1), "store 56 8"));
        to.add(new Use<>("row", longs, v -> v.row(2).get(1), "load 56 8"));
        to.add(new Use<>("row", longs, v -> v.row(2).set(1, 1), "store 56 8"));
        to.add(new Use<>("copyTo", longs, v -> v.copyTo(2, new long[3]), "load 48 24"));
        to.add(new Use<>("copyFrom", longs, v -> v.copyFrom(2, new long[3]), "store 48 24"));
        to.add(new Use<>("fill", longs, v -> v.fill(1), "store 0 240"));
        to.add(new Use<>("fill", longs, v -> v.fill(2, 4, 1), "store 48 48"));
        to.add(new Use<>("prefetchRow", longs, v -> v.prefetchRow(2, Mode.WRITE), ""));
        addLent(to, longs, 48, 72, (v, mode) -> v.segment(2, 5, mode));
    }

    private static void addCubes(List<Use<?>> to) {
        Function<Integer, DoubleCube> doubles = planes -> DoubleCube.of(planes, 2, 3);
        to.add(new Use<>("get", doubles, v -> v.get(4, 1, 2), "load 232 8"));
        to.add(new Use<>("set", doubles, v -> v.set(4, 1, 2, 1), "store 232 8"));
        to.add(new Use<>("row", doubles, v -> v.row(4, 1).get(2), "load 232 8"));
        to.add(new Use<>("row", doubles, v -> v.row(4, 1).set(2, 1), "store 232 8"));
        to.add(new Use<>("copyTo", doubles, v -> v.copyTo(4, 1, new double[3]), "load 216 24"));
        to.add(
                new Use<>(
                        "copyFrom", doubles, v -> v.copyFrom(4, 1, new double[3]), "store 216 24"));
        to.add(new Use<>("fill", doubles, v -> v.fill(1), "store 0 480"));
        to.add(new Use<>("fill", doubles, v -> v.fill(2, 4, 1), "store 96 96"));
        to.add(new Use<>("prefetchPlane", doubles, v -> v.prefetchPlane(2, Mode.WRITE), ""));
        addLent(to, doubles, 96, 144, (v, mode) -> v.segment(2, 5, mode));
        Function<Integer, FloatCube> floats = planes -> FloatCube.of(planes, 2, 3);
        to.add(new Use<>("get", floats, v -> v.get(4, 1, 2), "load 116 4"));
        to.add(new Use<>("set", floats, v -> v.set(4, 1, 2, 1), "store 116 4"));
        to.add(new Use<>("row", floats, v -> v.row(4, 1).get(2), "load 116 4"));
        to.add(new Use<>("row", floats, v -> v.row(4, 1).set(2, 1), "store 116 4"));
        to.add(new Use<>("copyTo", floats, v -> v.copyTo(4, 1, new float[3]), "load 108 12"));
        to.add(new Use<>("copyFrom", floats, v -> v.copyFrom(4, 1, new float[3]), "store 108 12"));
        to.add(new Use<>("fill", floats, v -> v.fill(1), "store 0 240"));
        to.add(new Use<>("fill", floats, v -> v.fill(2, 4, 1), "store 48 48"));
        to.add(new Use<>("prefetchPlane", floats, v -> v.prefetchPlane(2, Mode.WRITE), ""));
        addLent(to, floats, 48, 72, (v, mode) -> v.segment(2, 5, mode));
    }

    private static <V extends SharedVariable> void addLent(
            List<Use<?>> to,
            Function<Integer, V> declaration,
            int offset,
            int bytes,
            BiFunction<V, Mode, MemorySegment> use) {
        String range = offset + " " + bytes;
        to.add(
                lent(
                        declaration,
                        v -> use.apply(v, Mode.READ),
                        "load " + range + "|lend " + range + " READ"));
        to.add(
                lent(
                        declaration,
                        v -> use.apply(v, Mode.WRITE),
                        "store " + range + "|lend " + range + " WRITE"));
    }

    private static void addStructs(List<Use<?>> to) {
        Function<Integer, StructArray> bodies = length -> StructArray.of(BODY, length);
        to.add(new Use<>("getByte", bodies, v -> v.getByte(2, 9), "load 41 1"));
        to.add(new Use<>("setByte", bodies, v -> v.setByte(2, 9, (byte) 1), "store 41 1"));
        to.add(new Use<>("getShort", bodies, v -> v.getShort(2, 10), "load 42 2"));
        to.add(new Use<>("setShort", bodies, v -> v.setShort(2, 10, (short) 1), "store 42 2"));
        to.add(new Use<>("getInt", bodies, v -> v.getInt(2, 12), "load 44 4"));
        to.add(new Use<>("setInt", bodies, v -> v.setInt(2, 12, 1), "store 44 4"));
        to.add(new Use<>("getLong", bodies, v -> v.getLong(2, 8), "load 40 8"));
        to.add(new Use<>("setLong", bodies, v -> v.setLong(2, 8, 1), "store 40 8"));
        to.add(new Use<>("getFloat", bodies, v -> v.getFloat(2, 12), "load 44 4"));
        to.add(new Use<>("setFloat", bodies, v -> v.setFloat(2, 12, 1), "store 44 4"));
        to.add(new Use<>("getDouble", bodies, v -> v.getDouble(2, 8), "load 40 8"));
        to.add(new Use<>("setDouble", bodies, v -> v.setDouble(2, 8, 1), "store 40 8"));
        to.add(lent(bodies, v -> v.segment(2, 5, Mode.READ), "load 32 48|lend 32 48 READ"));
        to.add(lent(bodies, v -> v.segment(2, 5, Mode.WRITE), "store 32 48|lend 32 48 WRITE"));
    }

    private static void addOrderedMembers(List<Use<?>> to) {
        Function<Integer, StructArray> bodies = length -> StructArray.of(BODY, length);
        to.add(new Use<>("getByteVolatile", bodies, v -> v.getByteVolatile(2, 9), "load 41 1"));
        to.add(new Use<>("getByteAcquire", bodies, v -> v.getByteAcquire(2, 9), "load 41 1"));
        to.add(
                new Use<>(
                        "setByteVolatile",
                        bodies,
                        v -> v.setByteVolatile(2, 9, (byte) 1),
                        "store 41 1"));
        to.add(
                new Use<>(
                        "setByteRelease",
                        bodies,
                        v -> v.setByteRelease(2, 9, (byte) 1),
                        "store 41 1"));
        to.add(new Use<>("getShortVolatile", bodies, v -> v.getShortVolatile(2, 10), "load 42 2"));
        to.add(new Use<>("getShortAcquire", bodies, v -> v.getShortAcquire(2, 10), "load 42 2"));
        to.add(
                new Use<>(
                        "setShortVolatile",
                        bodies,
                        v -> v.setShortVolatile(2, 10, (short) 1),
                        "store 42 2"));
        to.add(
                new Use<>(
                        "setShortRelease",
                        bodies,
                        v -> v.setShortRelease(2, 10, (short) 1),
                        "store 42 2"));
        to.add(new Use<>("getIntVolatile", bodies, v -> v.getIntVolatile(2, 12), "load 44 4"));
        to.add(new Use<>("getIntAcquire", bodies, v -> v.getIntAcquire(2, 12), "load 44 4"));
        to.add(new Use<>("setIntVolatile", bodies, v -> v.setIntVolatile(2, 12, 1), "store 44 4"));
        to.add(new Use<>("setIntRelease", bodies, v -> v.setIntRelease(2, 12, 1), "store 44 4"));
        to.add(new Use<>("getLongVolatile", bodies, v -> v.getLongVolatile(2, 8), "load 40 8"));
        to.add(new Use<>("getLongAcquire", bodies, v -> v.getLongAcquire(2, 8), "load 40 8"));
        to.add(new Use<>("setLongVolatile", bodies, v -> v.setLongVolatile(2, 8, 1), "store 40 8"));
        to.add(new Use<>("setLongRelease", bodies, v -> v.setLongRelease(2, 8, 1), "store 40 8"));
        to.add(new Use<>("getFloatVolatile", bodies, v -> v.getFloatVolatile(2, 12), "load 44 4"));
        to.add(new Use<>("getFloatAcquire", bodies, v -> v.getFloatAcquire(2, 12), "load 44 4"));
        to.add(
                new Use<>(
                        "setFloatVolatile",
                        bodies,
                        v -> v.setFloatVolatile(2, 12, 1),
                        "store 44 4"));
        to.add(
                new Use<>(
                        "setFloatRelease", bodies, v -> v.setFloatRelease(2, 12, 1), "store 44 4"));
        to.add(new Use<>("getDoubleVolatile", bodies, v -> v.getDoubleVolatile(2, 8), "load 40 8"));
        to.add(new Use<>("getDoubleAcquire", bodies, v -> v.getDoubleAcquire(2, 8), "load 40 8"));
        to.add(
                new Use<>(
                        "setDoubleVolatile",
                        bodies,
                        v -> v.setDoubleVolatile(2, 8, 1),
                        "store 40 8"));
        to.add(
                new Use<>(
                        "setDoubleRelease",
                        bodies,
                        v -> v.setDoubleRelease(2, 8, 1),
                        "store 40 8"));
        to.add(new Use<>("getAndAddInt", bodies, v -> v.getAndAddInt(2, 12, 1), "store 44 4"));
        to.add(
                new Use<>(
                        "compareAndSetInt",
                        bodies,
                        v -> v.compareAndSetInt(2, 12, 1, 2),
                        "store 44 4"));
        to.add(new Use<>("getAndAddLong", bodies, v -> v.getAndAddLong(2, 8, 1), "store 40 8"));
        to.add(
                new Use<>(
                        "compareAndSetLong",
                        bodies,
                        v -> v.compareAndSetLong(2, 8, 1, 2),
                        "store 40 8"));
    }

    private static <V extends SharedVariable> Use<V> lent(
            Function<Integer, V> declaration, Function<V, MemorySegment> use, String expected) {
        return new Use<>("segment", declaration, use::apply, expected);
    }

    @ParameterizedTest
    @MethodSource("uses")
    void everyUse_isGuardedOnceWithItsRange(Use<?> use) {
        assertEquals(use.expected(), String.join("|", use.run()));
    }

    @Test
    void everyMethodThatTouchesMemory_isAmongTheUses() {
        TreeSet<String> declared = new TreeSet<>();
        TreeSet<String> tested = new TreeSet<>();
        for (Class<?> view : finalViews(SharedVariable.class).toList()) {
            Stream.of(view.getMethods())
                    .filter(method -> !Modifier.isStatic(method.getModifiers()))
                    .filter(method -> method.getDeclaringClass() != Object.class)
                    .filter(method -> method.getDeclaringClass() != SharedVariable.class)
                    .map(Method::getName)
                    .filter(name -> !SHAPE.contains(name))
                    .forEach(name -> declared.add(view.getSimpleName() + "." + name));
        }
        for (Use<?> use : uses()) {
            tested.add(use.type() + "." + use.method());
        }

        assertEquals(declared, tested);
        assertTrue(tested.size() > 50, tested.toString());
    }

    private static Stream<Class<?>> finalViews(Class<?> type) {
        return type.isSealed()
                ? Stream.of(type.getPermittedSubclasses()).flatMap(GuardedViewsTest::finalViews)
                : Stream.of(type);
    }

    @Test
    void copies_areGuardedByStepsOfAPageInTheOrderOfTheirAccesses() {
        LongArray longs = LongArray.of(1000);
        LongArray others = LongArray.of(1000);
        Recorder guard = guarded(longs);
        Recorder otherGuard = guarded(others);
        guard.brings = 3;

        longs.copyTo(100, others, 0, 600);
        assertEquals(List.of("load 800 4096", "load 4896 704"), guard.calls);
        assertEquals(List.of("store 0 4096", "store 4096 704"), otherGuard.calls);
        assertEquals(0x0303030303030303L, otherGuard.memory.getAtIndex(ValueLayout.JAVA_LONG, 599));
        guard.calls.clear();
        longs.copyTo(100, longs, 101, 600);
        assertThrows(IndexOutOfBoundsException.class, () -> longs.copyTo(0, others, 401, 600));

        assertEquals(
                List.of("load 1504 4096", "store 1512 4096", "load 800 704", "store 808 704"),
                guard.calls);
    }

    @Test
    void transfers_areGuardedPageByPageAndNotWhenRefused() throws IOException {
        LongArray longs = LongArray.of(1000);
        Recorder guard = guarded(longs);
        ByteBuffer buffer = ByteBuffer.allocate(8000);

        longs.writeTo(buffer, 100, 600);
        longs.readFrom(buffer.flip(), 0, 3);
        longs.readFrom(Channels.newChannel(new ByteArrayInputStream(new byte[16])), 5, 2);
        assertThrows(IndexOutOfBoundsException.class, () -> longs.writeTo(buffer, 999, 2));

        assertEquals(
                List.of("load 800 4096", "load 4896 704", "store 0 24", "store 40 16"),
                guard.calls);
    }

    @Test
    void guard_isAskedBeforeTheAccess() {
        LongArray longs = LongArray.of(LENGTH);
        Recorder guard = guarded(longs);
        guard.brings = 1;

        assertEquals(0x0101010101010101L, longs.get(2));
        assertEquals(0x0101010101010101L, longs.getVolatile(3));
        assertEquals(0x0101010101010101L, longs.getAndAdd(4, 1));
        assertEquals(0x0101010101010102L, guard.memory.getAtIndex(ValueLayout.JAVA_LONG, 4));
        assertTrue(longs.compareAndSet(5, 0x0101010101010101L, 9));
        long[] copy = new long[2];
        longs.copyTo(6, copy, 0, 2);
        assertEquals(0x0101010101010101L, copy[1]);
        longs.set(0, 7);
        assertEquals(7, guard.memory.getAtIndex(ValueLayout.JAVA_LONG, 0));
        longs.fill(8);
        assertEquals(8, guard.memory.getAtIndex(ValueLayout.JAVA_LONG, 9));
    }

    @Test
    void refusedAccess_isNotGuardedAndSaysTheSame() {
        LongArray longs = LongArray.of(LENGTH);
        Recorder guard = guarded(longs);

        for (int index : new int[] {-1, LENGTH, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertEquals(
                    "index " + index + " of variable data, whose length is 10",
                    assertThrows(IndexOutOfBoundsException.class, () -> longs.get(index))
                            .getMessage());
        }
        assertThrows(IndexOutOfBoundsException.class, () -> longs.copyTo(8, new long[9], 0, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> longs.copyFrom(8, new long[9], 0, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> longs.segment(5, 4, Mode.READ));
        longs.copyTo(LENGTH, new long[0], 0, 0);
        assertEquals(0, longs.segment(4, 4, Mode.WRITE).byteSize());
        ViewBinder.seal(longs);
        assertThrows(IllegalStateException.class, () -> longs.set(1, 1));
        assertThrows(IllegalStateException.class, () -> longs.getAndAdd(1, 1));
        assertThrows(IllegalStateException.class, () -> longs.fill(1));
        assertThrows(IllegalStateException.class, () -> longs.segment(0, 1, Mode.WRITE));

        assertEquals(List.of(), guard.calls);
        assertEquals(0, longs.get(1));
        assertEquals(List.of("load 8 8"), guard.calls);
    }

    @Test
    void lentSegment_isTheGuardsAndReadOnlyForReading() {
        LongArray longs = LongArray.of(LENGTH);
        Recorder guard = guarded(longs);

        MemorySegment read = longs.segment(0, 2, Mode.READ);
        MemorySegment write = longs.segment(0, 2, Mode.WRITE);
        write.set(ValueLayout.JAVA_LONG, 8, 5);

        assertTrue(read.isReadOnly());
        assertEquals(5, read.get(ValueLayout.JAVA_LONG, 8));
        assertFalse(write.isReadOnly());
        guard.held.close();
        assertThrows(IllegalStateException.class, () -> read.get(ValueLayout.JAVA_LONG, 8));
        assertThrows(IllegalStateException.class, () -> write.set(ValueLayout.JAVA_LONG, 8, 6));
        assertEquals(5, guard.memory.get(ValueLayout.JAVA_LONG, 8));
    }

    @Test
    void exceptionOfAGuard_reachesTheProgramAndStopsTheAccess() {
        IllegalStateException lost = new IllegalStateException("node 1 is lost");
        LongArray refusing = LongArray.of(1);
        MemorySegment memory = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
        ViewBinder.bind(
                refusing,
                "refusing",
                memory,
                new AccessGuard() {
                    @Override
                    public void load(long offset, long bytes) {
                        throw lost;
                    }

                    @Override
                    public void store(long offset, long bytes) {
                        throw lost;
                    }

                    @Override
                    public MemorySegment lend(MemorySegment part, long offset, Mode mode) {
                        return part;
                    }
                },
                ViewLink.LOCAL);

        assertEquals(lost, assertThrows(RuntimeException.class, () -> refusing.get(0)));
        assertEquals(lost, assertThrows(RuntimeException.class, () -> refusing.set(0, 1)));
        assertEquals(lost, assertThrows(RuntimeException.class, () -> refusing.fill(1)));
        assertEquals(0, memory.get(ValueLayout.JAVA_LONG, 0));
        ViewBinder.seal(refusing);
        assertEquals(lost, assertThrows(RuntimeException.class, () -> refusing.get(0)));
    }

    @Test
    void localViewsAndViewsWithoutGuard_workAsEver() {
        LongArray local = LongArray.local(2);
        LongArray bare = Bound.named("bare", LongArray.of(2));

        for (LongArray view : new LongArray[] {local, bare}) {
            view.fill(3);
            assertEquals(3, view.getAndAdd(1, 1));
            assertEquals(4, view.segment(1, 2, Mode.READ).get(ValueLayout.JAVA_LONG, 0));
        }
    }
}
