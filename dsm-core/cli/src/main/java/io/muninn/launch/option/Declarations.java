package io.muninn.launch.option;

import io.muninn.api.DsmException;
import io.muninn.api.DsmProgram;
import io.muninn.api.spi.Layouts;
import io.muninn.api.spi.Printable;
import io.muninn.launch.process.StartException;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks what a program of the user declares, once for all nodes, before any of them is started. To
 * see the shapes, it constructs a program in this process, with an empty input; its output is
 * printed only if the program is refused.
 *
 * <p>What may differ in an application's own JVM is left to the applications: a lack of memory, a
 * constructor that takes long, and one that throws, if there are options of JVMs or if it has read
 * standard input.
 *
 * <p><b>Threads.</b> One check at a time, since it replaces the standard streams of the process.
 */
final class Declarations {
    /** A program that takes longer is constructed by the applications only. */
    private static final long LIMIT_SECONDS = 5;

    private static final String REFLECTION = "jdk.internal.reflect.";

    private Declarations() {}

    /**
     * Checks the declarations of a program.
     *
     * @param options of the program
     * @param properties of the system, set while the program is constructed
     * @param isSameJvm whether applications have a JVM like this one, with no further options
     * @throws IllegalArgumentException if the program refuses its options, or declares what no run
     *     can have; the text is for the user
     * @throws StartException if it cannot be constructed; the text is for the user
     */
    static void check(
            OwnProgram program,
            List<String> options,
            Map<String, String> properties,
            boolean isSameJvm)
            throws InterruptedException {
        AtomicBoolean hasRead = new AtomicBoolean();
        FutureTask<DsmProgram> check = new FutureTask<>(() -> program.create(options));
        PrintStream out = System.out;
        PrintStream err = System.err;
        InputStream in = System.in;
        Properties usual = System.getProperties();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream kept = new PrintStream(said, true, err.charset());
        System.setOut(kept);
        System.setErr(kept);
        System.setIn(emptyInput(hasRead));
        System.setProperties((Properties) usual.clone());
        properties.forEach(System::setProperty);
        try {
            Thread.ofPlatform().name("muninn-check").daemon().start(check);
            checkDeclared(check.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        } catch (IllegalArgumentException | IllegalStateException wrong) {
            throw refused(program.name(), wrong);
        } catch (ExecutionException failed) {
            boolean isCertain = isSameJvm && !hasRead.get();
            Optional<RuntimeException> refusal =
                    refusal(program.name(), failed.getCause(), isCertain);
            if (refusal.isPresent()) {
                err.writeBytes(said.toByteArray());
                throw refusal.get();
            }
        } catch (TimeoutException tooLong) {
            check.cancel(true);
        } finally {
            System.setOut(out);
            System.setErr(err);
            System.setIn(in);
            System.setProperties(usual);
        }
    }

    private static void checkDeclared(DsmProgram program) {
        for (Layouts.Undeclared each : Layouts.undeclared(program)) {
            if (!Placeholders.isReplaced(each.field(), program.getClass())) {
                throw new IllegalArgumentException(each.text());
            }
        }
        Layouts.of(program);
    }

    private static InputStream emptyInput(AtomicBoolean hasRead) {
        return new InputStream() {
            @Override
            public int read() {
                hasRead.set(true);
                return -1;
            }
        };
    }

    /**
     * Returns what every node would report; empty if an application may do better than this JVM.
     */
    private static Optional<RuntimeException> refusal(
            String name, @Nullable Throwable cause, boolean isCertain) {
        return switch (cause) {
            case IllegalArgumentException wrong when isCertain -> Optional.of(refused(name, wrong));
            case DsmException failed
                    when isCertain && !(failed.getCause() instanceof VirtualMachineError) ->
                    Optional.of(
                            new StartException(
                                    failed.getMessage() + frames(failed.getCause()), failed));
            case UnsupportedClassVersionError newer when isCertain ->
                    Optional.of(
                            new IllegalArgumentException(
                                    "class "
                                            + name
                                            + " is of a newer JDK than that of this run: "
                                            + newer.getMessage()
                                            + "; compile it with './dsm javac'",
                                    newer));
            case LinkageError wrong when isCertain ->
                    Optional.of(
                            new IllegalArgumentException(
                                    "class " + name + " cannot be loaded: " + wrong, wrong));
            case null, default -> Optional.empty();
        };
    }

    private static IllegalArgumentException refused(String name, RuntimeException wrong) {
        String text = String.valueOf(wrong.getMessage());
        String simple = name.substring(name.replaceAll("[/$]", ".").lastIndexOf('.') + 1);
        return new IllegalArgumentException(
                text.contains(simple) ? text : name + ": " + text, wrong);
    }

    /** The frames of the program, one per line. */
    private static String frames(@Nullable Throwable cause) {
        return cause == null
                ? ""
                : Arrays.stream(Printable.of(cause).getStackTrace())
                        .takeWhile(frame -> !frame.getClassName().startsWith(REFLECTION))
                        .map(frame -> "\n\tat " + frame)
                        .collect(Collectors.joining());
    }
}
