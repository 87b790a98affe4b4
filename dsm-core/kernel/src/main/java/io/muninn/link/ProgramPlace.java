package io.muninn.link;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
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

    /**
     * Where the calling thread stands, and from where it was called, as in "Grid.set(Grid.java:20)
     * from Solver.run(Solver.java:7)". Without the second frame, a method that all stores of a
     * program pass through would hide them.
     */
    public static Optional<String> ofThisThread() {
        String places =
                WALKER.walk(frames ->
                        places(frames.map(StackWalker.StackFrame::toStackTraceElement))
                                .limit(2)
                                .collect(Collectors.joining(" from ")));
        return Optional.of(places).filter(text -> !text.isEmpty());
    }

    /** Where a thread stands that has this stack, as in "Primes.run(Primes.java:20)". */
    public static Optional<String> of(StackTraceElement[] stack) {
        return places(Stream.of(stack)).findFirst();
    }

    private static Stream<String> places(Stream<StackTraceElement> stack) {
        return stack.filter(frame -> isProgram(frame.getClassName())).map(ProgramPlace::text);
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
