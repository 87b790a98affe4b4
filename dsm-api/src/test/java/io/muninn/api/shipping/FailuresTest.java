package io.muninn.api.shipping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.ShippedCallException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Exceptions as they arrive on another node: equal to the original, or wrapped. */
class FailuresTest {
    private static final String WHERE = "object 'o' on node 1";

    /** Its constructor sets the message. */
    static final class NoSeats extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoSeats() {
            super("no seats are left");
        }
    }

    static final class FixedCause extends RuntimeException {
        private static final long serialVersionUID = 1L;

        FixedCause(String message) {
            super(message, null);
        }
    }

    static final class OwnCause extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OwnCause(String message) {
            super(message, new IOException("of the constructor"));
        }
    }

    static final class PrivateConstructor extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private PrivateConstructor(String message) {
            super(message);
        }
    }

    static final class NoCity extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoCity(String city) {
            super("no city " + city);
        }
    }

    static final class Coded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        final int code;
        final transient long nanos = System.nanoTime();

        Coded(String message) {
            this(-1, message);
        }

        Coded(int code, String message) {
            super(message);
            this.code = code;
        }
    }

    static final class Text extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final boolean isLong;

        Text(String message) {
            this(message, false);
        }

        Text(String message, boolean isLong) {
            super(message);
            this.isLong = isLong;
        }

        @Override
        public String toString() {
            return isLong ? "long" : "short";
        }
    }

    /** Records no causes and suppressed exceptions. */
    static final class Bare extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Bare(String message) {
            super(message, null, false, false);
        }
    }

    private static Throwable arrived(Throwable thrown, Class<?>... declared) {
        ByteSink out = new ByteSink();
        Failures.write(thrown, out);
        ByteSource in = new ByteSource(out.toBytes());
        return Failures.read(in, WHERE, FailuresTest.class.getClassLoader(), List.of(declared));
    }

    static List<Throwable> asTheyWere() {
        return List.of(
                new IllegalStateException("no"),
                new IllegalStateException(),
                new IllegalStateException("a\uD800b"),
                new AssertionError("a", new RuntimeException("cause")),
                new AssertionError("only a text"),
                new AssertionError(),
                new NullPointerException(),
                new ArrayIndexOutOfBoundsException(7),
                new StackOverflowError(),
                new CompletionException("c", new IOException("cause")),
                new NoSeats(),
                new Coded("m"),
                new Coded(-1, "m"),
                new Text("t"),
                new PrivateConstructor("p"),
                new IOException("disk"),
                new NoSuchFileException("file"));
    }

    @ParameterizedTest
    @MethodSource("asTheyWere")
    void exceptionThatAConstructorMakesAgain_hasItsTypeAndMessage(Throwable thrown) {
        thrown.addSuppressed(new IOException("while closing"));

        Throwable arrived = arrived(thrown, IOException.class);

        assertSame(thrown.getClass(), arrived.getClass());
        assertEquals(thrown.getMessage(), arrived.getMessage());
        assertDescribes(thrown, arrived.getCause());
        assertDescribes(thrown.getSuppressed()[0], arrived.getSuppressed()[0]);
    }

    private static List<String> frames(Throwable thrown) {
        return Arrays.stream(thrown.getStackTrace())
                .map(each ->
                        each.getClassName()
                                + "."
                                + each.getMethodName()
                                + ":"
                                + each.getFileName()
                                + ":"
                                + each.getLineNumber())
                .toList();
    }

    private static void assertDescribes(Throwable thrown, Throwable description) {
        ShippedCallException there = assertInstanceOf(ShippedCallException.class, description);
        String type = thrown.getClass().getName();
        assertEquals(type, there.type());
        String message = thrown.getMessage();
        assertEquals(message == null ? type : type + ": " + message, there.getMessage());
        assertEquals(frames(thrown), frames(there));
        if (thrown.getCause() == null) {
            assertNull(there.getCause());
        } else {
            assertDescribes(thrown.getCause(), there.getCause());
        }
    }

    static List<Throwable> differing() {
        return List.of(
                new NoCity("Ys"),
                new Coded(42, "m"),
                new Text("t", true),
                new UncheckedIOException("m", new IOException("disk")),
                new FileSystemException("from", "to", "why"),
                new Bare("b"));
    }

    @ParameterizedTest
    @MethodSource("differing")
    void exceptionThatNoConstructorMakesAgain_isWrappedWithTypeAndMessage(Throwable thrown) {
        Throwable arrived = arrived(thrown, Exception.class);

        ShippedCallException wrapped = assertInstanceOf(ShippedCallException.class, arrived);
        String type = thrown.getClass().getName();
        assertEquals(type, wrapped.type());
        assertEquals(WHERE + " threw " + type + ": " + thrown.getMessage(), wrapped.getMessage());
        assertDescribes(thrown, wrapped.getCause());
    }

    @Test
    void checkedExceptionThatIsNotDeclared_isWrapped() {
        ShippedCallException wrapped =
                assertInstanceOf(
                        ShippedCallException.class,
                        arrived(new IOException("m"), InterruptedException.class));

        assertEquals("java.io.IOException", wrapped.type());
    }

    @Test
    void causeOfAConstructor_staysAndTheDescriptionIsSuppressed() {
        Throwable fixed = new FixedCause("m");
        Throwable own = new OwnCause("m");

        Throwable fixedArrived = assertInstanceOf(FixedCause.class, arrived(fixed));
        Throwable ownArrived = assertInstanceOf(OwnCause.class, arrived(own));

        assertNull(fixedArrived.getCause());
        assertDescribes(fixed, fixedArrived.getSuppressed()[0]);
        assertInstanceOf(IOException.class, ownArrived.getCause());
        assertDescribes(own, ownArrived.getSuppressed()[0]);
    }

    @Test
    void exceptionOfAThirdNode_keepsItsTypeAndText() {
        Throwable first = new NoCity("Ys");

        Throwable second = arrived(arrived(first));

        ShippedCallException wrapped = assertInstanceOf(ShippedCallException.class, second);
        assertEquals(first.getClass().getName(), wrapped.type());
        assertTrue(wrapped.getMessage().endsWith("NoCity: no city Ys"), wrapped.getMessage());
        Throwable cause = wrapped.getCause().getCause();
        assertEquals(first.getClass().getName() + ": no city Ys", cause.getMessage());
        assertEquals(frames(first), frames(cause));
    }

    /** Every method that a program can override throws. */
    static final class Hostile extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("getMessage");
        }

        @Override
        public String toString() {
            throw new StackOverflowError("toString");
        }

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("getCause");
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new IllegalStateException("getStackTrace");
        }
    }

    @Test
    void exceptionWhoseMethodsThrow_isWrapped() {
        Hostile hostile = new Hostile();
        hostile.addSuppressed(new IOException("while closing"));

        Throwable arrived = arrived(hostile);

        assertEquals(
                WHERE
                        + " threw "
                        + Hostile.class.getName()
                        + ", whose getMessage threw java.lang.IllegalStateException",
                arrived.getMessage());
        assertEquals("java.io.IOException: while closing", arrived.getSuppressed()[0].getMessage());
    }

    @Test
    void longMessage_isCut() {
        String text = "x".repeat(Failures.TEXT_MAX);

        Throwable arrived = arrived(new IllegalStateException(text));

        assertInstanceOf(ShippedCallException.class, arrived);
        int more = "java.lang.IllegalStateException: ".length();
        assertTrue(arrived.getMessage().endsWith("xxx... and " + more + " more"));
    }

    @Test
    void manyCausesAndSuppressed_areCut() {
        Throwable thrown = new IllegalStateException("outer");
        Throwable innermost = thrown;
        for (int i = 0; i < 20; i++) {
            Throwable next = new IllegalStateException("level " + i);
            for (int j = 0; j < 20; j++) {
                next.addSuppressed(new IllegalStateException("closing " + j));
            }
            innermost.initCause(next);
            innermost = next;
        }
        thrown.addSuppressed(innermost); // a circle
        innermost.initCause(thrown);

        Throwable arrived = arrived(thrown);

        List<Throwable> all = new ArrayList<>(List.of(arrived.getCause()));
        for (int i = 0; i < all.size(); i++) {
            all.addAll(Arrays.asList(all.get(i).getSuppressed()));
            if (all.get(i).getCause() != null) {
                all.add(all.get(i).getCause());
            }
        }
        all.addAll(Arrays.asList(arrived.getSuppressed()));
        assertEquals(Failures.DESCRIPTIONS_MAX, all.size());
        assertEquals("java.lang.IllegalStateException: level 7", deepestCause(arrived));
    }

    private static String deepestCause(Throwable thrown) {
        Throwable deepest = thrown;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return deepest.getMessage();
    }
}
