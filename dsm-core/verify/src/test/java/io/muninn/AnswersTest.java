package io.muninn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A method of the project that returns an {@code Optional} answers a question, such as why
 * something cannot be done. No caller ignores the answer, neither in a statement nor in a lambda
 * that returns nothing.
 */
class AnswersTest {
    private static final int CLASSES_MIN = 1000;
    private static final String OURS = "io/muninn";

    /** Index of the method and of the type in the arguments with which a lambda is linked. */
    private static final int METHOD = 1;

    private static final int TYPE = 2;

    @Test
    void answers_areNotIgnored() throws Exception {
        List<String> ignored = new ArrayList<>();
        int classes = 0;
        for (URL root : Collections.list(AnswersTest.class.getClassLoader().getResources(OURS))) {
            if (root.getProtocol().equals("jar")) {
                try (FileSystem jar = FileSystems.newFileSystem(root.toURI(), Map.of())) {
                    classes += collect(jar.getPath(OURS), ignored);
                }
            } else if (!root.getPath().contains("/test-classes/")) {
                classes += collect(Path.of(root.toURI()), ignored);
            }
        }

        assertTrue(classes > CLASSES_MIN, classes + " classes were read");
        assertEquals(List.of(), ignored);
    }

    /** Returns the number of classes in the folder. */
    private static int collect(Path folder, List<String> ignored) throws IOException {
        List<Path> classes;
        try (Stream<Path> files = Files.walk(folder)) {
            classes = files.filter(file -> file.toString().endsWith(".class")).toList();
        }
        for (Path each : classes) {
            collect(ClassFile.of().parse(each), ignored);
        }
        return classes.size();
    }

    /** Ignored answers that the scanner has to find. */
    static final class Careless {
        private static Optional<String> answer(String question) {
            return Optional.of(question).filter(each -> each.length() > 1);
        }

        static String asks() {
            answer("in a statement");
            List.of("in a lambda").forEach(each -> answer(each));
            List.of("as a method").forEach(Careless::answer);
            return answer("and uses it").orElse("");
        }
    }

    @Test
    void scanner_findsStatementsLambdasAndMethods() throws IOException {
        assertEquals("and uses it", Careless.asks());
        List<String> ignored = new ArrayList<>();
        try (InputStream in = Careless.class.getResourceAsStream("AnswersTest$Careless.class")) {
            collect(ClassFile.of().parse(in.readAllBytes()), ignored);
        }

        assertEquals(3, ignored.size(), ignored::toString);
        assertTrue(
                ignored.getFirst().startsWith("io/muninn/AnswersTest$Careless:"),
                ignored::toString);
        assertTrue(ignored.getFirst().endsWith(" ignores answer"), ignored::toString);
    }

    private static void collect(ClassModel type, List<String> ignored) {
        String name = type.thisClass().asInternalName();
        for (MethodModel method : type.methods()) {
            method.code().ifPresent(code -> collect(code, text -> ignored.add(name + ":" + text)));
        }
    }

    private static void collect(CodeModel code, Consumer<String> ignored) {
        int line = 0;
        Optional<InvokeInstruction> call = Optional.empty();
        for (CodeElement element : code) {
            if (element instanceof LineNumber number) {
                line = number.line();
            } else if (element instanceof Instruction instruction) {
                int at = line;
                if (instruction.opcode() == Opcode.POP) {
                    call.filter(AnswersTest::isAnswer)
                            .ifPresent(of -> ignored.accept(text(at, of.name().stringValue())));
                }
                call =
                        instruction instanceof InvokeInstruction next
                                ? Optional.of(next)
                                : Optional.empty();
                if (instruction instanceof InvokeDynamicInstruction lambda) {
                    ignoredBy(lambda).ifPresent(of -> ignored.accept(text(at, of)));
                }
            }
        }
    }

    private static String text(int line, String method) {
        return line + " ignores " + method;
    }

    private static boolean isAnswer(InvokeInstruction call) {
        return isAnswer(call.owner().asInternalName(), call.typeSymbol());
    }

    private static boolean isAnswer(String owner, MethodTypeDesc type) {
        return owner.startsWith("io/muninn/")
                && type.returnType().descriptorString().startsWith("Ljava/util/Optional");
    }

    /** The method of a lambda whose answer is ignored because the lambda returns nothing. */
    private static Optional<String> ignoredBy(InvokeDynamicInstruction lambda) {
        List<ConstantDesc> arguments = lambda.bootstrapArgs();
        if (arguments.size() > TYPE
                && arguments.get(METHOD) instanceof DirectMethodHandleDesc method
                && arguments.get(TYPE) instanceof MethodTypeDesc type
                && type.returnType().descriptorString().equals("V")) {
            String owner = method.owner().descriptorString().substring(1);
            return Optional.of(method.methodName())
                    .filter(_ -> isAnswer(owner, method.invocationType()));
        }
        return Optional.empty();
    }
}
