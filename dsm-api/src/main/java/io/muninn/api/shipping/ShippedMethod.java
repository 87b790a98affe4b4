package io.muninn.api.shipping;

import io.muninn.api.DsmException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** A method of a shipped interface: encodes and decodes its arguments and its result. */
final class ShippedMethod {
    private final Method method;
    private final boolean isAsynchronous;
    private final List<Coder> parameters = new ArrayList<>();
    private final Coder result;

    /**
     * @throws IllegalArgumentException if a type cannot be shipped, naming method and type
     */
    ShippedMethod(Method method, Coders coders) {
        this.method = method;
        if (!method.trySetAccessible()) {
            throw new IllegalArgumentException(
                    "method " + method.toGenericString() + " is not open to io.muninn.api");
        }
        Type returned = method.getGenericReturnType();
        isAsynchronous = method.getReturnType() == CompletableFuture.class;
        Type[] types = method.getGenericParameterTypes();
        for (int i = 0; i < types.length; i++) {
            parameters.add(coder(types[i], "parameter " + i, coders));
        }
        if (isAsynchronous && returned instanceof ParameterizedType future) {
            returned = future.getActualTypeArguments()[0];
        }
        result = coder(returned, "the result", coders);
    }

    private Coder coder(Type type, String what, Coders coders) {
        try {
            return coders.of(type);
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(
                    "method "
                            + method.toGenericString()
                            + " cannot be shipped, for "
                            + what
                            + ": "
                            + refused.getMessage(),
                    refused);
        }
    }

    Method method() {
        return method;
    }

    /** True if a call returns at once, with a future. */
    boolean isAsynchronous() {
        return isAsynchronous;
    }

    List<Class<?>> declaredExceptions() {
        return List.of(method.getExceptionTypes());
    }

    /**
     * @throws IllegalArgumentException if an argument is nested too deep
     */
    void writeArguments(@Nullable Object[] arguments, ByteSink out) {
        for (int i = 0; i < parameters.size(); i++) {
            parameters.get(i).write(arguments[i], out, 0);
        }
    }

    @Nullable Object[] readArguments(ByteSource in) {
        @Nullable Object[] arguments = new Object[parameters.size()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = parameters.get(i).read(in);
        }
        return arguments;
    }

    void writeResult(@Nullable Object value, ByteSink out) {
        result.write(value, out, 0);
    }

    @Nullable Object readResult(ByteSource in) {
        return result.read(in);
    }

    /** Returns the result of a call, waiting for it if the method returned a future. */
    static @Nullable Object settled(@Nullable Object returned) throws Throwable {
        if (!(returned instanceof CompletableFuture<?> future)) {
            throw new DsmException("an asynchronous method returned null, not a future");
        }
        try {
            return future.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() == null ? failed : failed.getCause();
        }
    }
}
