package io.muninn.api.shipping;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A type without variables and wildcards. Types replace the variables, and bounds replace the
 * wildcards: a value of {@code ? extends Shape} travels as a {@code Shape}.
 *
 * @param arguments none if the class is not generic, or raw
 * @param name as in source
 */
record ClosedType(Class<?> raw, List<ClosedType> arguments, String name) {
    /**
     * Longest name. Only types that contain ever larger types of their own kind have longer ones.
     */
    private static final int NAME_MAX = 2000;

    static ClosedType of(Class<?> type) {
        return new ClosedType(type, List.of(), type.getTypeName());
    }

    private static ClosedType of(Class<?> raw, List<ClosedType> arguments) {
        String name =
                arguments.stream()
                        .map(ClosedType::name)
                        .collect(Collectors.joining(", ", raw.getTypeName() + "<", ">"));
        if (name.length() > NAME_MAX) {
            throw new IllegalArgumentException(
                    "type "
                            + name.substring(0, NAME_MAX / 10)
                            + "... does not travel: a generic type contains itself with ever larger"
                            + " type arguments");
        }
        return new ClosedType(raw, List.copyOf(arguments), name);
    }

    /**
     * Closes a type.
     *
     * @param bound the types of the variables
     * @throws IllegalArgumentException if another variable occurs, or a wildcard without a bound
     *     above
     */
    static ClosedType of(Type type, Map<TypeVariable<?>, ClosedType> bound) {
        return switch (type) {
            case Class<?> plain -> of(plain);
            case ParameterizedType generic -> ofGeneric(generic, bound);
            case GenericArrayType array ->
                    of(of(array.getGenericComponentType(), bound).raw().arrayType());
            case TypeVariable<?> variable when bound.containsKey(variable) -> bound.get(variable);
            case WildcardType wildcard when wildcard.getLowerBounds().length == 0 ->
                    of(wildcard.getUpperBounds()[0], bound);
            default -> throw Coders.refused(type.getTypeName());
        };
    }

    private static ClosedType ofGeneric(
            ParameterizedType type, Map<TypeVariable<?>, ClosedType> bound) {
        Class<?> raw = (Class<?>) type.getRawType();
        List<ClosedType> arguments = new ArrayList<>();
        for (int i = 0; i < raw.getTypeParameters().length; i++) {
            Type argument = type.getActualTypeArguments()[i];
            boolean isUnbound =
                    argument instanceof WildcardType wildcard
                            && wildcard.getLowerBounds().length == 0
                            && wildcard.getUpperBounds()[0] == Object.class;
            arguments.add(
                    isUnbound
                            ? of(raw.getTypeParameters()[i].getBounds()[0], Map.of())
                            : of(argument, bound));
        }
        return of(raw, arguments);
    }

    /** The types of the variables of the class. */
    Map<TypeVariable<?>, ClosedType> bindings() {
        Map<TypeVariable<?>, ClosedType> bindings = new LinkedHashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            bindings.put(raw.getTypeParameters()[i], arguments.get(i));
        }
        return bindings;
    }

    /**
     * Closes a class that implements this interface directly.
     *
     * @return nothing if no object of the class can be of this type: the class implements the
     *     interface with other arguments
     * @throws IllegalArgumentException if these arguments do not determine a variable of the class
     */
    Optional<ClosedType> implementedBy(Class<?> type) {
        if (type.getTypeParameters().length == 0) {
            return Optional.of(of(type));
        }
        Map<TypeVariable<?>, ClosedType> found = new LinkedHashMap<>();
        for (Type implemented : type.getGenericInterfaces()) {
            if (implemented instanceof ParameterizedType generic
                    && generic.getRawType() == raw
                    && !matches(generic, found)) {
                return Optional.empty();
            }
        }
        List<ClosedType> determined = new ArrayList<>();
        for (TypeVariable<?> variable : type.getTypeParameters()) {
            ClosedType argument = found.get(variable);
            if (argument == null) {
                throw new IllegalArgumentException(
                        "type "
                                + type.getTypeName()
                                + " does not travel as "
                                + name()
                                + ", which does not determine "
                                + variable);
            }
            determined.add(argument);
        }
        return Optional.of(of(type, determined));
    }

    /**
     * True if a type can be this one.
     *
     * @param found receives the types of its variables
     */
    private boolean matches(Type type, Map<TypeVariable<?>, ClosedType> found) {
        return switch (type) {
            case Class<?> plain -> plain == raw && arguments.isEmpty();
            case TypeVariable<?> variable -> {
                ClosedType before = found.putIfAbsent(variable, this);
                yield before == null || before.equals(this);
            }
            case ParameterizedType generic -> {
                boolean matches = generic.getRawType() == raw && !arguments.isEmpty();
                for (int i = 0; matches && i < arguments.size(); i++) {
                    matches = arguments.get(i).matches(generic.getActualTypeArguments()[i], found);
                }
                yield matches;
            }
            case GenericArrayType array ->
                    raw.isArray()
                            && of(raw.getComponentType())
                                    .matches(array.getGenericComponentType(), found);
            default -> true; // a wildcard
        };
    }

    boolean isRaw() {
        return raw.getTypeParameters().length > arguments.size();
    }
}
