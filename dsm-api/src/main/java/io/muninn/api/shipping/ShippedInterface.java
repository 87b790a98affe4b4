package io.muninn.api.shipping;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The schema of an interface: its methods in an order that is the same on every node. */
final class ShippedInterface {
    private final Class<?> type;
    private final List<ShippedMethod> methods = new ArrayList<>();
    private final Map<Method, Integer> indices = new LinkedHashMap<>();

    /**
     * @throws IllegalArgumentException if the type is not an interface, is generic, or has a method
     *     with a type that cannot be shipped; the text names both
     */
    ShippedInterface(Class<?> type) {
        if (!type.isInterface() || type.isAnnotation()) {
            throw new IllegalArgumentException(type.getName() + " is not an interface");
        }
        if (type.getTypeParameters().length > 0) {
            throw new IllegalArgumentException(
                    "interface " + type.getName() + " is generic: nobody could tell what travels");
        }
        this.type = type;
        Coders coders = new Coders();
        Arrays.stream(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> !method.isBridge())
                .sorted(Comparator.comparing(ShippedInterface::signature))
                .forEach(method -> {
                    indices.put(method, methods.size());
                    methods.add(new ShippedMethod(method, coders));
                });
    }

    private static String signature(Method method) {
        return method.getName()
                + Arrays.toString(method.getParameterTypes())
                + method.getReturnType()
                + method.getDeclaringClass().getName();
    }

    Class<?> type() {
        return type;
    }

    /** The 0-based index of a method. */
    int indexOf(Method method) {
        return indices.getOrDefault(method, -1);
    }

    ShippedMethod method(int index) {
        return methods.get(index);
    }

    int methods() {
        return methods.size();
    }

    /** Everything that both sides must agree on, as text. */
    String describe() {
        return type.getName()
                + methods.stream()
                        .map(each -> each.method().toGenericString())
                        .collect(Collectors.joining(" ", " ", ""));
    }
}
