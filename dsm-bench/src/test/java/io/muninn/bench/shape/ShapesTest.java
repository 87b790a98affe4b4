package io.muninn.bench.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that both versions of each shape in {@link Shapes} compute the same result. */
class ShapesTest {
    static String[] names() {
        return Shapes.all().map(Shape::name).toArray(String[]::new);
    }

    @Test
    void names_areDistinct() {
        assertEquals(names().length, Shapes.all().map(Shape::name).distinct().count());
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("names")
    void viewsAndArrays_haveTheSameResult(String name) {
        Shape shape = Shapes.all().filter(one -> one.name().equals(name)).findFirst().orElseThrow();

        assertEquals(
                shape.ofArrays().get().getAsDouble(), shape.ofViews().get().getAsDouble(), name);
    }
}
