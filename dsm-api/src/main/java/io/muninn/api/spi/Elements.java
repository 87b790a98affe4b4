package io.muninn.api.spi;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The values of a field: itself, or the elements of an array or a list, with their names. */
public final class Elements {
    private Elements() {}

    /**
     * Calls {@code action} with each value, in order, and its name: the name of the field, with an
     * index for each array or list around the value, such as {@code levels[2]}.
     *
     * @param action the value may be null
     */
    @SuppressWarnings("exports") // users of this class do not need the annotations
    public static void forEach(
            String name, @Nullable Object value, BiConsumer<String, @Nullable Object> action) {
        List<?> elements =
                switch (value) {
                    case Object[] array -> Arrays.asList(array);
                    case List<?> list -> list;
                    case null, default -> null;
                };
        if (elements == null) {
            action.accept(name, value);
            return;
        }
        for (int i = 0; i < elements.size(); i++) {
            forEach(name + "[" + i + "]", elements.get(i), action);
        }
    }
}
