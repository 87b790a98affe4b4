package io.muninn.link;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the line of the program in a stack: that of the innermost frame of no library. */
public final class ProgramPlace {
    /** Packages whose classes programs call, but are not. */
    private static final List<String> LIBRARIES =
            List.of(
                    "java.",
                    "javax.",
                    "jdk.",
                    "sun.",
                    "io.muninn.api.",
                    "io.muninn.application.",
                    "io.muninn.ipc.",
                    "io.muninn.launch.",
                    "io.muninn.link.",
                    "io.muninn.nativefault.",
                    "io.muninn.sim.");

    private static final StackWalker WALKER = StackWalker.getInstance();

    private ProgramPlace() {}

    /** Where the calling thread stands, as in "Primes.run(Primes.java:20)". */
    public static Optional<String> ofThisThread() {
        return WALKER.walk(
                frames -> first(frames.map(StackWalker.StackFrame::toStackTraceElement)));
    }

    /** Where a thread stands that has this stack. */
    public static Optional<String> of(StackTraceElement[] stack) {
        return first(Stream.of(stack));
    }

    private static Optional<String> first(Stream<StackTraceElement> stack) {
        return stack.filter(frame -> isProgram(frame.getClassName()))
                .findFirst()
                .map(ProgramPlace::text);
    }

    private static boolean isProgram(String type) {
        return LIBRARIES.stream().noneMatch(type::startsWith);
    }

    private static String text(StackTraceElement frame) {
        String type = frame.getClassName();
        @Nullable String file = frame.getFileName();
        String source = file == null ? "unknown source" : file + ":" + frame.getLineNumber();
        String name = type.substring(type.lastIndexOf('.') + 1);
        return name + "." + frame.getMethodName() + "(" + source + ")";
    }
}
