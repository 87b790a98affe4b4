package io.muninn.api.shipping;

import io.muninn.api.DsmException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record: its components in order; reading calls its canonical constructor. */
final class RecordCoder implements Coder {
    private final Constructor<?> constructor;
    private final List<Method> accessors = new ArrayList<>();
    private final List<Coder> coders;

    /**
     * @param coders one for each component
     * @throws IllegalArgumentException if the record's module does not give others access to it
     */
    RecordCoder(Class<?> type, List<Coder> coders) {
        this.coders = coders;
        List<Class<?>> types = new ArrayList<>();
        try {
            for (RecordComponent component : type.getRecordComponents()) {
                Method accessor = component.getAccessor();
                accessor.setAccessible(true);
                accessors.add(accessor);
                types.add(component.getType());
            }
            constructor = type.getDeclaredConstructor(types.toArray(Class<?>[]::new));
            constructor.setAccessible(true);
        } catch (NoSuchMethodException | InaccessibleObjectException cause) {
            throw new IllegalArgumentException(
                    "record " + type.getTypeName() + " is not open to io.muninn.api", cause);
        }
    }

    @Override
    public void write(@Nullable Object value, ByteSink out, int depth) {
        for (int i = 0; i < coders.size(); i++) {
            coders.get(i).write(component(accessors.get(i), value), out, depth);
        }
    }

    private static @Nullable Object component(Method accessor, @Nullable Object value) {
        try {
            return accessor.invoke(value);
        } catch (InvocationTargetException thrown) {
            throw unchecked(accessor.getDeclaringClass(), thrown.getCause());
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public Object read(ByteSource in) {
        @Nullable Object[] components = new Object[coders.size()];
        for (int i = 0; i < components.length; i++) {
            components[i] = coders.get(i).read(in);
        }
        try {
            return constructor.newInstance(components);
        } catch (InvocationTargetException thrown) {
            throw unchecked(constructor.getDeclaringClass(), thrown.getCause());
        } catch (InstantiationException | IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static RuntimeException unchecked(Class<?> type, @Nullable Throwable cause) {
        return switch (cause) {
            case RuntimeException itself -> itself;
            case Error error -> throw error;
            case null, default ->
                    new DsmException("record " + type.getTypeName() + " threw " + cause, cause);
        };
    }
}
