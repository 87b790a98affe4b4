package io.muninn.launch.option;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CompoundElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * Whether the variable that a field holds after construction is replaced later, by a local one or
 * by one that the program allocates: some method stores to the field, or its name is a text of the
 * program, such as {@code team.allocate("total", …)}.
 */
final class Placeholders {
    private static final String CONSTRUCTOR = "<init>";
    private static final String INITIALIZER = "<clinit>";

    private Placeholders() {}

    /**
     * Reads the code of the classes that can be expected to store to a field: those from the
     * program's to the one that declares it, with their nested classes.
     *
     * @param program the class of the program, which has the field or inherits it
     */
    static boolean isReplaced(Field field, Class<?> program) {
        Set<Class<?>> types = new LinkedHashSet<>();
        Set<String> owners = new LinkedHashSet<>(); // by which code may name the field's class
        Class<?> type = program;
        while (type != null && field.getDeclaringClass().isAssignableFrom(type)) {
            owners.add(type.getName().replace('.', '/'));
            types.addAll(Arrays.asList(type.getNestMembers()));
            type = type.getSuperclass();
        }
        return types.stream()
                .map(Placeholders::model)
                .anyMatch(model ->
                        names(model, field.getName()) || storesTo(model, field.getName(), owners));
    }

    private static ClassModel model(Class<?> type) {
        String file = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("class file " + file + " is missing");
            }
            return ClassFile.of().parse(in.readAllBytes());
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    private static boolean names(ClassModel model, String field) {
        return StreamSupport.stream(model.constantPool().spliterator(), false)
                .anyMatch(entry ->
                        entry instanceof StringEntry text && text.stringValue().equals(field));
    }

    private static boolean storesTo(ClassModel model, String field, Set<String> owners) {
        return model.methods().stream()
                .filter(method -> !isConstructor(method))
                .flatMap(method -> method.code().stream())
                .flatMap(CompoundElement::elementStream)
                .anyMatch(element ->
                        element instanceof FieldInstruction access
                                && isStore(access.opcode())
                                && access.name().equalsString(field)
                                && owners.contains(access.owner().asInternalName()));
    }

    private static boolean isConstructor(MethodModel method) {
        return method.methodName().equalsString(CONSTRUCTOR)
                || method.methodName().equalsString(INITIALIZER);
    }

    private static boolean isStore(Opcode opcode) {
        return opcode == Opcode.PUTFIELD || opcode == Opcode.PUTSTATIC;
    }
}
