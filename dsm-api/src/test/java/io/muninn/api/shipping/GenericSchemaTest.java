package io.muninn.api.shipping;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Generic records and sealed interfaces, in all ways in which they can contain each other. */
class GenericSchemaTest {
    record Box<T>(T value) {}

    record Holder<T>(Box<List<T>> box) {}

    record Deep<T>(Map<String, Optional<Box<List<Box<T>>>>> map) {}

    record Node<T>(T value, Node<T> next) {}

    record Swapped<A, B>(A first, Swapped<B, A> rest) {}

    record Rose<T>(T value, List<Rose<Box<T>>> children) {}

    record Tree<T>(T value, List<Tree<T>> children) {}

    record Tagged<T, U>(Box<T> box, U tag, List<? extends T> more) {}

    record Least<T extends Comparable<T>>(List<T> values) {}

    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(double side) implements Shape {}

    record Drawn<S extends Shape>(List<S> shapes) {}

    sealed interface Option<T> permits Some, Nothing {}

    record Some<T>(T value) implements Option<T> {}

    record Nothing<T>() implements Option<T> {}

    sealed interface Either<A, B> permits Left, Right, Both {}

    record Left<X, Y>(X value) implements Either<X, Y> {}

    record Right<X, Y>(Y value) implements Either<Y, X> {}

    sealed interface Both<T> extends Either<T, T> permits Two {}

    record Two<T>(T one, Box<T> other) implements Both<T> {}

    sealed interface Expression<T> permits Number, Text, Pair, Same {}

    record Number(int value) implements Expression<Integer> {}

    record Text(String value) implements Expression<String> {}

    record Pair<A, B>(Expression<A> first, Expression<B> second) implements Expression<Map<A, B>> {}

    record Same<T>(T first, T second) implements Expression<T> {}

    /** A method for each nesting that can be shipped. */
    interface Permitted {
        Holder<Long> holder(Holder<Long> value);

        Deep<int[]> deep(Deep<int[]> value);

        Node<Holder<String>> node(Node<Holder<String>> value);

        Swapped<Integer, String> swapped(Swapped<Integer, String> value);

        Tree<Optional<Long>> tree(Tree<Optional<Long>> value);

        Tagged<Shape, Box<String>> tagged(Tagged<Shape, Box<String>> value);

        Least<Integer> least(Least<Integer> value);

        Drawn<?> drawn(Drawn<?> value);

        Box<? extends Shape> wildcard(Box<? extends Shape> value);

        List<? extends Box<? extends List<? extends Shape>>> wildcards(
                List<? extends Box<? extends List<? extends Shape>>> value);

        Box<int[]> array(Box<int[]> value);

        Option<Option<String>> option(Option<Option<String>> value);

        Box<Option<Integer>> boxed(Box<Option<Integer>> value);

        List<Either<Integer, String>> either(List<Either<Integer, String>> value);

        Either<Long, Long> both(Either<Long, Long> value);

        Expression<Integer> number(Expression<Integer> value);

        Expression<Map<Integer, String>> expression(Expression<Map<Integer, String>> value);
    }

    private static Method method(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @SuppressWarnings("unchecked") // returns its argument
    private static <T> T there(String name, T value) {
        ShippedMethod method = new ShippedMethod(method(Permitted.class, name), new Coders());
        ByteSink out = new ByteSink();
        method.writeArguments(new Object[] {value}, out);
        return (T) method.readArguments(new ByteSource(out.toBytes()))[0];
    }

    private static void assertTravels(String name, Object value) {
        assertEquals(value, there(name, value));
    }

    private static <T> Box<T> box(T value) {
        return new Box<>(value);
    }

    @Test
    void nestedRecords_arriveEqual() {
        assertTravels("holder", new Holder<>(box(List.of(1L, 2L))));
        Node<Holder<String>> last = new Node<>(null, null);
        assertTravels("node", new Node<>(new Holder<>(box(List.of("a"))), last));
        assertTravels("swapped", new Swapped<>(1, new Swapped<>("a", new Swapped<>(2, null))));
        assertTravels(
                "tree", new Tree<>(Optional.of(1L), List.of(new Tree<>(Optional.empty(), null))));
        assertTravels(
                "tagged",
                new Tagged<Shape, Box<String>>(
                        box(new Circle(1)), box("tag"), List.of(new Square(2), new Circle(3))));
    }

    @Test
    void arraysOfATypeArgument_arriveElementByElement() {
        Deep<int[]> deep =
                new Deep<>(Map.of("k", Optional.of(box(List.of(box(new int[] {1, 2}))))));

        int[] elements =
                there("deep", deep).map().get("k").orElseThrow().value().getFirst().value();

        assertArrayEquals(new int[] {1, 2}, elements);
        assertArrayEquals(new int[] {3}, there("array", box(new int[] {3})).value());
    }

    @Test
    void boundsAndWildcards_arriveAsTheirBound() {
        assertTravels("least", new Least<>(List.of(3, 1)));
        assertTravels("drawn", new Drawn<>(List.of(new Square(2), new Square(3))));
        assertTravels("wildcard", box(new Circle(1)));
        assertTravels("wildcards", List.of(box(List.of(new Circle(1), new Square(2)))));
    }

    @Test
    void sealedGenericInterfaces_arriveEqual() {
        assertTravels("option", new Some<>(new Some<>("a")));
        assertTravels("option", new Some<>(new Nothing<>()));
        assertTravels("boxed", box(new Some<>(7)));
        assertTravels(
                "either", List.of(new Left<Integer, String>(1), new Right<String, Integer>(2)));
        assertTravels("both", new Two<>(1L, box(2L)));
        assertTravels("both", new Right<Long, Long>(3L));
        assertTravels("expression", new Pair<>(new Number(1), new Same<>("a", "b")));
        assertTravels("expression", new Pair<>(new Same<>(1, 2), new Text("c")));
    }

    @Test
    void valueThatOnlyAnUncheckedCastPermits_isRefused() {
        Expression<?> pair = new Pair<>(new Number(1), new Text("a"));

        String refusal =
                assertThrows(IllegalArgumentException.class, () -> there("number", pair))
                        .getMessage();

        assertTrue(refusal.contains("Pair does not travel as "), refusal);
        assertTrue(refusal.endsWith("Expression<java.lang.Integer>"), refusal);
    }

    sealed interface Hidden<T> permits Inside {}

    record Inside<T, H>(H hidden) implements Hidden<T> {}

    record Grows<T>(T value, Grows<List<T>> next) {}

    record Doubles<T>(Doubles<Tagged<T, T>> next) {}

    record Many<T>(Many<Box<T>> first, Many<Optional<T>> second) {}

    record Names<T>(T[] names) {}

    record Sets<T>(Box<Set<T>> set) {}

    /** A method for each nesting that cannot be shipped. */
    interface Refused {
        void top(Box<?> value);

        void self(Least<?> value);

        void below(Box<? super Integer> value);

        void names(Names<Long> value);

        void array(Box<Long>[] value);

        void sets(Holder<Sets<Long>> value);

        void hidden(Hidden<Long> value);

        void grows(Grows<Long> value);

        void doubles(Doubles<Long> value);

        void many(Many<Long> value);

        void rose(Rose<Long> value);

        @SuppressWarnings("rawtypes")
        void raw(Holder<Box> value);

        <T extends Shape> void variable(Box<List<T>> value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "top|type java.lang.Object does not travel",
                "self|type T does not travel",
                "below|type ? super java.lang.Integer does not travel",
                "names|type java.lang.Long[] does not travel",
                "array|GenericSchemaTest$Box[] does not travel",
                "sets|type java.util.Set<java.lang.Long> does not travel",
                "hidden|GenericSchemaTest$Hidden<java.lang.Long>, which does not determine H",
                "grows|contains itself with ever larger type arguments",
                "doubles|contains itself with ever larger type arguments",
                "many|contains itself with ever larger type arguments",
                "rose|contains itself with ever larger type arguments",
                "raw|GenericSchemaTest$Box does not travel",
                "variable|type T does not travel"
            })
    void nestingThatDoesNotTravel_isRefusedAndNamed(String methodAndText) {
        String[] expected = methodAndText.split("\\|");
        Method method = method(Refused.class, expected[0]);

        String refusal =
                assertThrows(
                                IllegalArgumentException.class,
                                () -> new ShippedMethod(method, new Coders()))
                        .getMessage();

        assertTrue(refusal.contains(expected[0] + "("), refusal);
        assertTrue(refusal.contains(expected[1]), refusal);
    }
}
