package io.muninn.api.shipping;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTest {
    private enum Colour {
        RED,
        GREEN {
            @Override
            public String toString() {
                return "with a body of its own";
            }
        }
    }

    private record Pair<A, B>(A first, B second) {}

    private sealed interface Tree permits Leaf, Fork, Colour2 {}

    private record Leaf(int value) implements Tree {}

    private record Fork(Tree left, Tree right) implements Tree {}

    private enum Colour2 implements Tree {
        BLUE
    }

    private record Everything(
            boolean a,
            byte b,
            short c,
            char d,
            int e,
            float f,
            long g,
            double h,
            Long boxed,
            String text,
            Colour colour,
            Optional<String> maybe,
            List<Optional<Integer>> list,
            Map<String, List<Leaf>> map,
            Pair<Integer, String> pair) {}

    /** Every permitted type. */
    private interface Permitted {
        Everything everything(Everything all);

        Tree tree(Tree tree);

        List<Tree> trees(List<? extends Tree> trees);

        double[] doubles(double[] values);

        boolean[] booleans(boolean[] values);

        byte[] bytes(byte[] values);

        char[] chars(char[] values);

        CompletableFuture<Map<Colour, long[]>> later();

        Void nothing();
    }

    private static ShippedMethod method(Class<?> type, String name) {
        ShippedInterface schema = new ShippedInterface(type);
        Method method =
                Arrays.stream(type.getMethods())
                        .filter(each -> each.getName().equals(name))
                        .findFirst()
                        .orElseThrow();
        return schema.method(schema.indexOf(method));
    }

    private static Object there(String name, Object value) {
        ShippedMethod method = method(Permitted.class, name);
        ByteSink out = new ByteSink();
        method.writeArguments(new Object[] {value}, out);
        Object[] arguments = method.readArguments(new ByteSource(out.toBytes()));
        return arguments[0];
    }

    @Test
    void recordOfEverything_arrivesEqualAndNewlyMade() {
        Map<String, List<Leaf>> map = new LinkedHashMap<>();
        map.put("z", List.of(new Leaf(1)));
        map.put("a", Arrays.asList(null, new Leaf(2)));
        Everything sent =
                new Everything(
                        true,
                        (byte) -3,
                        (short) -300,
                        '\u20ac',
                        Integer.MIN_VALUE,
                        -0.0f,
                        Long.MAX_VALUE,
                        Double.NaN,
                        null,
                        "gr\u00fc\u00df",
                        Colour.GREEN,
                        Optional.empty(),
                        List.of(Optional.of(1), Optional.empty()),
                        map,
                        new Pair<>(7, "seven"));

        Object arrived = there("everything", sent);

        assertEquals(sent, arrived);
        assertNotSame(sent, arrived);
        assertEquals(List.of("z", "a"), List.copyOf(((Everything) arrived).map().keySet()));
    }

    @Test
    void recursiveTypes_arriveEqual() {
        Tree tree = new Fork(new Leaf(1), new Fork(Colour2.BLUE, new Leaf(2)));

        assertEquals(tree, there("tree", tree));
        assertEquals(List.of(tree, tree), there("trees", List.of(tree, tree)));
        assertNull(there("tree", null));
    }

    @Test
    void arrays_arriveElementByElement() {
        assertArrayEquals(
                new double[] {1, -0.5}, (double[]) there("doubles", new double[] {1, -0.5}));
        assertArrayEquals(
                new boolean[] {true, false},
                (boolean[]) there("booleans", new boolean[] {true, false}));
        assertArrayEquals(new byte[1000], (byte[]) there("bytes", new byte[1000]));
        assertArrayEquals(new char[] {'x'}, (char[]) there("chars", new char[] {'x'}));
    }

    @Test
    void valueNestedTooDeep_isRefused() {
        Tree tree = new Leaf(0);
        for (int i = 0; i < Coder.DEPTH_MAX; i++) {
            tree = new Fork(tree, null);
        }
        Tree deep = tree;

        IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> there("tree", deep));

        assertTrue(thrown.getMessage().contains("nested"), thrown.getMessage());
    }

    @Test
    void bytesCutShort_areRefused() {
        ShippedMethod method = method(Permitted.class, "doubles");
        ByteSink out = new ByteSink();
        method.writeArguments(new Object[] {new double[4]}, out);
        byte[] half = Arrays.copyOf(out.toBytes(), 20);

        assertThrows(DsmException.class, () -> method.readArguments(new ByteSource(half)));
    }

    private sealed interface Open permits Closed, NotSealed {}

    private record Closed() implements Open {}

    private static non-sealed class NotSealed implements Open {}

    private record Holder(StringBuilder text) {}

    /** One method for each type that cannot be shipped. */
    private interface Refused {
        void anything(Object value);

        void strings(String[] values);

        void matrix(double[][] values);

        void set(Set<String> values);

        @SuppressWarnings("rawtypes")
        void raw(List values);

        void wildcard(List<?> values);

        void inside(Holder value);

        void open(Open value);

        <T> void variable(T value);

        StringBuilder result();

        @SuppressWarnings("rawtypes")
        CompletableFuture future();

        CompletableFuture<Runnable> laterRunnable();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "anything java.lang.Object",
                "strings java.lang.String[]",
                "matrix double[][]",
                "set java.util.Set<java.lang.String>",
                "raw java.util.List",
                "wildcard java.lang.Object",
                "inside java.lang.StringBuilder",
                "open io.muninn.api.shipping.SchemaTest$NotSealed",
                "variable T",
                "result java.lang.StringBuilder",
                "future java.util.concurrent.CompletableFuture",
                "laterRunnable java.lang.Runnable"
            })
    void typeThatDoesNotTravel_isRefusedAndNamedWithItsMethod(String methodAndType) {
        String[] expected = methodAndType.split(" ");
        Method method =
                Arrays.stream(Refused.class.getDeclaredMethods())
                        .filter(each -> each.getName().equals(expected[0]))
                        .findFirst()
                        .orElseThrow();

        IllegalArgumentException thrown =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> new ShippedMethod(method, new Coders()));

        assertTrue(thrown.getMessage().contains(expected[0] + "("), thrown.getMessage());
        assertTrue(
                thrown.getMessage().contains("type " + expected[1] + " does not"),
                thrown.getMessage());
    }

    /** A schema of its own for every element type. */
    private interface Generic<T> {
        void add(T value);
    }

    @Test
    void whatIsNoPlainInterface_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> new ShippedInterface(String.class));
        assertThrows(IllegalArgumentException.class, () -> new ShippedInterface(Generic.class));
        assertThrows(IllegalArgumentException.class, () -> new ShippedInterface(Override.class));
    }

    @Test
    void overloadsAndInheritedMethods_haveOnePlaceEach() {
        ShippedInterface schema = new ShippedInterface(Overloaded.class);

        assertEquals(3, schema.methods());
    }

    private interface Inherited {
        int size();
    }

    private interface Overloaded extends Inherited {
        void add(int value);

        void add(long value);
    }
}
