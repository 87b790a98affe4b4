package io.muninn.launch.option;

import io.muninn.api.DsmException;
import io.muninn.application.ProgramClass;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.PicocliException;

/**
 * The options of a program of the user, as far as they can be known: those that it declares by
 * picocli's annotations, or what its constructor says about {@code --help}.
 *
 * <p><b>Threads.</b> One at a time, since it replaces the standard streams of the process.
 */
final class OwnHelp {
    private static final String HELP = "--help";
    private static final String LIBRARY = "picocli.";
    private static final int WIDTH_COLUMNS = 100;

    private final String name;
    private final ProgramClass program;
    private final PrintWriter out;

    private OwnHelp(String name, ProgramClass program, PrintWriter out) {
        this.name = name;
        this.program = program;
        this.out = out;
    }

    /**
     * Prints the options of a program.
     *
     * @throws IllegalArgumentException if it does not exist; the text is for the user
     */
    static void print(OwnProgram program, PrintWriter out) {
        new OwnHelp(program.name(), program.findWith(LIBRARY), out).print();
        out.flush();
    }

    private void print() {
        if (isAnnotated(program.type()) && isPrintedByAnnotations()) {
            return;
        }
        if (!program.takesOptions()) {
            out.println(name + " takes no options");
        } else if (!isPrintedByItself()) {
            out.println(name + " takes options, and does not describe them");
        }
    }

    private static boolean isAnnotated(Class<?> type) {
        return Stream.<Class<?>>iterate(type, each -> each != null, Class::getSuperclass)
                .anyMatch(each ->
                        each.isAnnotationPresent(Command.class)
                                || Arrays.stream(each.getDeclaredFields())
                                        .map(Field::getAnnotations)
                                        .flatMap(Arrays::stream)
                                        .map(Annotation::annotationType)
                                        .anyMatch(kind -> kind.getName().startsWith(LIBRARY)));
    }

    private boolean isPrintedByAnnotations() {
        CommandLine.IFactory factory = CommandLine.defaultFactory();
        try {
            CommandLine command =
                    new CommandLine(
                            program.type(),
                            new CommandLine.IFactory() {
                                @Override
                                public <K> K create(Class<K> type) throws Exception {
                                    return type == program.type()
                                            ? type.cast(program.create(List.of()))
                                            : factory.create(type);
                                }
                            });
            command.setCommandName(name);
            command.setUsageHelpWidth(WIDTH_COLUMNS);
            command.usage(out, Help.Ansi.OFF);
            return true;
        } catch (PicocliException | IllegalArgumentException | DsmException needsOptions) {
            return false;
        }
    }

    /** Constructs the program with the option, which may end this process. */
    private boolean isPrintedByItself() {
        PrintStream usualOut = System.out;
        PrintStream usualErr = System.err;
        Noting said = new Noting(usualOut);
        PrintStream noting = new PrintStream(said, true, usualOut.charset());
        System.setOut(noting);
        System.setErr(noting);
        try {
            program.create(List.of(HELP));
        } catch (IllegalArgumentException | DsmException refused) {
            out.println(name + ": " + refused.getMessage());
            return true;
        } finally {
            System.setOut(usualOut);
            System.setErr(usualErr);
        }
        return said.isWritten;
    }

    /** Notes whether something has been written. */
    private static final class Noting extends FilterOutputStream {
        private boolean isWritten;

        Noting(OutputStream target) {
            super(target);
        }

        @Override
        public void write(int b) throws IOException {
            isWritten = true;
            super.write(b);
        }
    }
}
