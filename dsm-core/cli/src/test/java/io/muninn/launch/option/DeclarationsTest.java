package io.muninn.launch.option;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Shared;
import io.muninn.launch.process.StartException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** What the launcher finds wrong with a program, and what it leaves to the applications. */
@Isolated("it replaces the standard streams")
class DeclarationsTest {
    private abstract static class Program implements DsmProgram {
        @Override
        public void run(DsmNode node) {}
    }

    static final class Right extends Program {
        @Shared private final LongArray count = LongArray.of(Integer.getInteger("rows", 1));

        Right() {
            if (count.length() == 1) {
                throw new IllegalStateException("no rows");
            }
        }
    }

    static final class Unannotated extends Program {
        final LongArray count = LongArray.of(10);
    }

    static final class Mistaken extends Program {
        LongArray count = LongArray.of(10);

        long first() {
            return count.get(0);
        }
    }

    static final class Replacing extends Program {
        private LongArray count = LongArray.of(10);
        private LongArray named = LongArray.of(10);

        @Override
        public void run(DsmNode node) {
            Runnable later = () -> count = LongArray.local(3);
            later.run();
        }

        String allocated() {
            return "named";
        }
    }

    static final class Refusing extends Program {
        Refusing(String[] options) {
            System.out.println("usage");
            throw new IllegalArgumentException("unknown option " + options[0]);
        }
    }

    static final class Reading extends Program {
        Reading() throws IOException {
            throw new IOException("input ends with " + System.in.read());
        }
    }

    static final class Large extends Program {
        Large() {
            throw new OutOfMemoryError("of this process");
        }
    }

    @TempDir private Path folder;

    private void check(Class<?> type, Map<String, String> properties, boolean isSameJvm)
            throws InterruptedException {
        Declarations.check(
                Programs.own(type.getName(), List.of(folder)),
                List.of("--x"),
                properties,
                isSameJvm);
    }

    private String refusal(Class<?> type) {
        return assertThrows(IllegalArgumentException.class, () -> check(type, Map.of(), true))
                .getMessage();
    }

    private void assertChecked(Class<?> type, Map<String, String> properties)
            throws InterruptedException {
        Declarations.check(
                Programs.own(type.getName(), List.of(folder)), List.of(), properties, true);
    }

    @Test
    void wrongDeclaration_isNamedWithItsRemedy() {
        assertTrue(refusal(Unannotated.class).contains("--x"), "it has no options");
        String text =
                assertThrows(
                                IllegalArgumentException.class,
                                () -> assertChecked(Unannotated.class, Map.of()))
                        .getMessage();

        assertEquals(
                "long[10] of "
                        + Unannotated.class.getName()
                        + ".count is not annotated: add @Shared",
                text);
    }

    @Test
    void fieldThatIsNotFinal_isRefusedUnlessItIsReplaced() {
        String text =
                assertThrows(
                                IllegalArgumentException.class,
                                () -> assertChecked(Mistaken.class, Map.of()))
                        .getMessage();

        assertTrue(text.endsWith("$Mistaken.count is not annotated: add @Shared"), text);
        assertDoesNotThrow(() -> assertChecked(Replacing.class, Map.of()));
    }

    @Test
    void constructor_seesThePropertiesOfTheRun() {
        assertDoesNotThrow(() -> assertChecked(Right.class, Map.of("rows", "5")));
        assertEquals(null, System.getProperty("rows"));
        String text =
                assertThrows(StartException.class, () -> assertChecked(Right.class, Map.of()))
                        .getMessage();

        assertTrue(text.startsWith("class " + Right.class.getName() + " cannot be"), text);
        assertTrue(text.contains("IllegalStateException: no rows\n\tat "), text);
        assertTrue(text.lines().allMatch(line -> !line.contains("reflect")), text);
    }

    @Test
    void refusedOptions_areNamedWithTheProgram() {
        PrintStream out = System.out;

        assertEquals(Refusing.class.getName() + ": unknown option --x", refusal(Refusing.class));
        assertSame(out, System.out);
    }

    @Test
    void whatAnApplicationMayDo_isLeftToIt() throws IOException {
        Files.write(folder.resolve("Future.class"), new byte[] {1, 2, 3});

        assertDoesNotThrow(() -> assertChecked(Reading.class, Map.of()));
        assertDoesNotThrow(() -> assertChecked(Large.class, Map.of()));
        assertDoesNotThrow(() -> check(Right.class, Map.of(), false));
        assertDoesNotThrow(() -> check(Refusing.class, Map.of(), false));
        OwnProgram future = Programs.own("Future", List.of(folder));
        assertDoesNotThrow(() -> Declarations.check(future, List.of(), Map.of(), false));
        assertThrows(
                IllegalArgumentException.class,
                () -> Declarations.check(future, List.of(), Map.of(), true));
    }
}
