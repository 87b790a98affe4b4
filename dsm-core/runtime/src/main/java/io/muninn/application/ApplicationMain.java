package io.muninn.application;

import com.sun.jna.Native;
import io.muninn.api.Dsm;
import io.muninn.api.DsmProgram;
import io.muninn.api.NodeLostException;
import io.muninn.api.Verdict;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Printable;
import io.muninn.api.spi.ProgramRunner;
import io.muninn.link.RefusedException;
import io.muninn.nativefault.ApplicationMapping;
import io.muninn.nativefault.AttachRefusedException;
import io.muninn.nativefault.FaultsNotPermittedException;
import io.muninn.nativefault.NativeCallException;
import io.muninn.report.StandardOutput;
import io.muninn.spi.ReservedBarriers;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Main class of an application process: runs a built-in program by name, a class, or the {@code
 * main} of a class.
 *
 * <pre>
 * ApplicationMain [--node I] PROGRAM [options]
 * ApplicationMain [--node I] --class CLASS [options]
 * ApplicationMain [--node I] --main CLASS [words]
 * </pre>
 *
 * The node only appears in lists of processes. A class implements {@link DsmProgram}, see {@link
 * ProgramClass}; a {@code main} calls {@link Dsm}. Exit status: 0 done, 1 failed or wrong, 2 bad
 * options, 3 a node was lost.
 */
public final class ApplicationMain {
    /** System property with the program's name, for the report. */
    public static final String PROGRAM_PROPERTY = "muninn.program";

    /** System property with the program's version, for the report. */
    public static final String VERSION_PROPERTY = "muninn.version";

    /**
     * System property with the class of the built-in program, if the starting process knows it. A
     * search would open every jar, which is otherwise unnecessary when classes are loaded from a
     * cache.
     */
    public static final String CLASS_PROPERTY = "muninn.program.class";

    /** System property with which the waits of calls are events of the Flight Recorder. */
    public static final String RECORDS_CALLS = CallEvents.PROPERTY;

    /** The system property with which views have guards, in runs that look for races. */
    public static final String GUARDED = "muninn.guarded";

    /**
     * System property that has this process load the classes of all built-in programs before it
     * runs one: set while a cache of classes is recorded.
     */
    public static final String LOAD_ALL_PROPERTY = "muninn.load.all";

    /** System property that has each line of output begin with the node that prints it. */
    public static final String TAG_PROPERTY = "muninn.tag.output";

    /** The words of {@link #main} before a node, a class, and the class of a {@code main}. */
    public static final String NODE = "--node";

    public static final String CLASS = "--class";
    public static final String MAIN = "--main";

    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final int NODE_LOST = 3;

    /** Errno values of the operating system. */
    private static final int EPERM = 1;

    private static final int ENOMEM = 12;

    private static final int ENFILE = 23;
    private static final int EMFILE = 24;
    private static final int EFBIG = 27;
    private static final int ENOSYS = 38;
    private static final int ENOMSG = 42;
    private static final int ECONNRESET = 104;
    private static final int ETIMEDOUT = 110;
    private static final int ECONNREFUSED = 111;

    private ApplicationMain() {}

    /** One class of each jar that an application needs in addition to its program's. */
    public static List<Class<?>> parts() {
        return List.of(
                Dsm.class,
                ReservedBarriers.class,
                ApplicationMain.class,
                ApplicationMapping.class,
                Native.class);
    }

    public static void main(String[] arguments) {
        String node = AgentAddress.ofThisProcess().map(a -> a.name() + ": ").orElse("");
        boolean tags = Boolean.getBoolean(TAG_PROPERTY);
        LineEnds lines = LineEnds.ofStandardOutput(tags ? node : "");
        String prefix = tags ? "" : node;
        if (Boolean.getBoolean(LOAD_ALL_PROPERTY)) {
            ServiceLoader.load(BuiltInProgram.class).forEach(ApplicationMain::load);
        }
        List<String> words = List.of(arguments);
        List<String> program =
                words.size() > 1 && words.getFirst().equals(NODE)
                        ? words.subList(2, words.size())
                        : words;
        boolean isMain = program.size() > 1 && program.getFirst().equals(MAIN);
        int status = isMain ? runMain(program, prefix) : run(program, prefix, lines);
        int withOutput = withOutput(status, prefix);
        if (!isMain || withOutput != 0) { // else threads of its own may still run
            System.exit(withOutput);
        }
    }

    /** Runs the {@code main} of a class. */
    private static int runMain(List<String> arguments, String prefix) {
        String name = arguments.get(1);
        System.setProperty(PROGRAM_PROPERTY, name);
        Thread self = Thread.currentThread();
        self.setUncaughtExceptionHandler(
                (_, failure) -> System.err.println(prefix + text(failure)));
        try {
            ProgramClass.findMain(name, ApplicationMain.class.getClassLoader())
                    .orElseThrow(() -> new IllegalArgumentException("no main is in " + name))
                    .invoke(
                            null,
                            (Object) arguments.subList(2, arguments.size()).toArray(String[]::new));
            return 0;
        } catch (InvocationTargetException thrown) {
            Throwable failure = thrown.getCause() == null ? thrown : thrown.getCause();
            if (failure instanceof NodeLostException) {
                return NODE_LOST; // the agent has printed the node and the reason
            }
            self.getUncaughtExceptionHandler().uncaughtException(self, failure); // of Dsm, too
            return failure instanceof AgentGoneException ? NODE_LOST : FAILED;
        } catch (IllegalAccessException | RuntimeException | Error failure) {
            return failed(failure, prefix);
        }
    }

    private static int failed(Throwable failure, String prefix) {
        if (failure instanceof NodeLostException) {
            return NODE_LOST; // the agent has printed the node and the reason
        }
        System.err.println(prefix + text(failure));
        return failure instanceof AgentGoneException ? NODE_LOST : FAILED;
    }

    /** Returns a failure instead of success if the output of the program is lost. */
    private static int withOutput(int status, String prefix) {
        Optional<String> lost = StandardOutput.lost();
        lost.ifPresent(text -> System.err.println(prefix + text));
        return lost.isPresent() && status == 0 ? FAILED : status;
    }

    private static void load(BuiltInProgram program) {
        try {
            program.create(List.of());
        } catch (IllegalArgumentException needsOptions) {
            return; // most of its classes are loaded by now
        }
    }

    private static int run(List<String> arguments, String prefix, LineEnds lines) {
        DsmProgram program;
        try {
            program = program(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println(prefix + wrong.getMessage());
            return USAGE;
        } catch (RuntimeException | Error failure) {
            System.err.println(prefix + trace(failure));
            return FAILED;
        }
        try {
            LiveProvider live = new LiveProvider();
            return report(
                    live.isAvailable() ? ProgramRunner.run(program, live) : Dsm.run(program),
                    lines);
        } catch (Throwable failure) {
            return failed(failure, prefix);
        }
    }

    /**
     * Describes a failure: a refusal, a shortage of the system or the loss of the agent by its
     * reason, anything else with its stack trace.
     */
    static String text(Throwable failure) {
        return switch (failure) {
            case RefusedException refused -> String.valueOf(refused.getMessage());
            case FaultsNotPermittedException refused -> String.valueOf(refused.getMessage());
            case AttachRefusedException refused -> String.valueOf(refused.getMessage());
            case AgentGoneException gone -> String.valueOf(gone.getMessage());
            case NativeCallException failed -> text(failed);
            default -> trace(failure);
        };
    }

    private static String trace(Throwable failure) {
        StringWriter trace = new StringWriter();
        Printable.of(failure).printStackTrace(new PrintWriter(trace));
        return trace.toString().stripTrailing();
    }

    /**
     * Describes a shortage of the system, or an agent that ended before this process had attached,
     * in one line; any other failure is a bug, reported with its stack trace.
     */
    private static String text(NativeCallException failed) {
        return switch (failed.errno()) {
            case ENOMEM ->
                    failed.getMessage()
                            + ": no room for the shared memory; 'ulimit -v unlimited' if the"
                            + " address space is limited, or more memory";
            case ECONNRESET, ETIMEDOUT, ECONNREFUSED ->
                    "its agent is gone, or does not answer: " + failed.getMessage();
            case EMFILE, ENFILE -> failed.getMessage() + ": too many open files; raise 'ulimit -n'";
            case EPERM, ENOSYS ->
                    failed.getMessage()
                            + ": most likely a filter of system calls (seccomp) denies one that"
                            + " shared memory needs; 'dsm doctor' names those";
            case EFBIG ->
                    failed.getMessage()
                            + ": shared memory is a sparse file, and the size of files is limited;"
                            + " 'ulimit -f unlimited'";
            case ENOMSG ->
                    failed.getMessage()
                            + ": the signal of this engine does not reach its handler; run with"
                            + " --engine uffd+event";
            default -> trace(failed);
        };
    }

    private static int report(Verdict verdict, LineEnds lines) {
        if (!verdict.checked()) {
            return 0;
        }
        lines.endLine(System.out);
        System.out.println((verdict.right() ? "verified: " : "WRONG RESULT: ") + verdict.detail());
        return verdict.right() ? 0 : FAILED;
    }

    /**
     * Constructs a program.
     *
     * @param arguments as for {@link #main}
     * @throws IllegalArgumentException if there is no program of that name or class, or if it
     *     refuses its options; the text is for the user
     */
    static DsmProgram program(List<String> arguments) {
        if (arguments.isEmpty()) {
            throw new IllegalArgumentException("no program is named");
        }
        if (arguments.getFirst().equals(CLASS)) {
            if (arguments.size() < 2) {
                throw new IllegalArgumentException(CLASS + " names no class");
            }
            System.setProperty(PROGRAM_PROPERTY, arguments.get(1));
            return ofClass(arguments.get(1), arguments.subList(2, arguments.size()));
        }
        String name = arguments.getFirst();
        List<String> options = arguments.subList(1, arguments.size());
        for (BuiltInProgram known : builtIn()) {
            if (known.name().equals(name)) {
                System.setProperty(PROGRAM_PROPERTY, name);
                System.setProperty(VERSION_PROPERTY, version(known, options));
                return known.create(options);
            }
        }
        throw new IllegalArgumentException("no built-in program is called '" + name + "'");
    }

    private static Iterable<BuiltInProgram> builtIn() {
        String known = System.getProperty(CLASS_PROPERTY);
        if (known != null) {
            try {
                Object program = Class.forName(known).getConstructor().newInstance();
                return List.of((BuiltInProgram) program);
            } catch (ReflectiveOperationException | ClassCastException ofAnotherBuild) {
                System.err.println("warning: no program is made of class " + known);
            }
        }
        return ServiceLoader.load(BuiltInProgram.class);
    }

    private static String version(BuiltInProgram program, List<String> options) {
        int at = options.indexOf("--version");
        return at >= 0 && at + 1 < options.size()
                ? options.get(at + 1)
                : program.versions().getFirst();
    }

    private static DsmProgram ofClass(String name, List<String> options) {
        try {
            return ProgramClass.find(name, ApplicationMain.class.getClassLoader())
                    .orElseThrow(() -> new IllegalArgumentException("there is no class " + name))
                    .create(options);
        } catch (LinkageError wrong) {
            throw new IllegalArgumentException(
                    "class " + name + " cannot be loaded: " + wrong, wrong);
        }
    }
}
