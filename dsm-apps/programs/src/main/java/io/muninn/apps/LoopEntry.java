package io.muninn.apps;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LoopProgram;
import io.muninn.api.Verdict;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import java.util.List;
import java.util.Locale;

/**
 * The entry of a program of parallel loops in the list of programs. The versions are parallel
 * loops, message passing, and one thread. Sizes are those of the "large" problems of CVM's Table 1.
 *
 * <p>Source: Keleher and Tseng, "Enhancing Software DSM for Compiler-Parallelized Applications",
 * cited as CVM. It does not give the number of steps. Its Table 4 gives the messages of barriers:
 * 14 for each barrier of eight processors, and a loop has two barriers. The default numbers of
 * steps here start about the same number of loops.
 */
public abstract class LoopEntry implements BuiltInProgram {
    private static final int STEPS_MAX = 10_000;
    private static final String LOCKS = "locks";

    private final String name;
    private final String summary;
    private final Sizes sizes;
    private final int steps;

    /**
     * The permitted values of {@code --size}.
     *
     * @param meaning of the number
     * @param usual default, as in Table 1
     * @param least least value that the program can compute
     * @param most greatest value that an array or a run can hold
     */
    public record Sizes(String meaning, int usual, int least, int most) {}

    /**
     * @param what summary of the program, with its name in Table 1
     * @param steps default number of steps
     */
    protected LoopEntry(String name, String what, Sizes sizes, int steps) {
        this.name = name;
        this.summary = what;
        this.sizes = sizes;
        this.steps = steps;
    }

    /** The program as parallel loops. */
    protected abstract LoopProgram loops(LoopSize size);

    /**
     * One thread's part of the program with messages. Collective.
     *
     * @return the results on the root's first thread; empty on others
     */
    protected abstract double[] messages(LoopSize size, DsmNode node);

    /** The results of the program on the calling thread. */
    protected abstract double[] sequential(LoopSize size, DsmNode node);

    /**
     * Whether one of its loops reduces. If so, the program has a version that reduces under a lock.
     */
    protected boolean isReducing() {
        return false;
    }

    /** Checks results of any version. */
    protected abstract Verdict verify(LoopSize size, DsmNode root, double[] results);

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String summary() {
        return summary + " (CVM, Table 1)";
    }

    @Override
    public final String usage() {
        return String.format(
                Locale.ROOT,
                """
                --size N         %s, %d to %d (%d)
                --steps N        0 to %d (%d)
                %s\
                --version V      dsm (parallel loops), %smp (message passing) or seq (dsm)
                """,
                sizes.meaning,
                sizes.least,
                sizes.most,
                sizes.usual,
                STEPS_MAX,
                steps,
                ScheduleOptions.usage("dsm"),
                isReducing() ? LOCKS + " (the same, reducing under a lock), " : "");
    }

    @Override
    public final List<String> versions() {
        return isReducing() ? List.of("dsm", LOCKS, "mp", "seq") : List.of("dsm", "mp", "seq");
    }

    @Override
    public final DsmProgram create(List<String> words) {
        Options options =
                Options.parse(
                        words,
                        "size=",
                        "steps=",
                        ScheduleOptions.SCHEDULE,
                        ScheduleOptions.CHUNK,
                        "version=");
        String version = options.choice("version", versions());
        LoopSize size =
                new LoopSize(
                        options.integer("size", sizes.usual, sizes.least, sizes.most),
                        options.integer("steps", steps, 0, STEPS_MAX),
                        ScheduleOptions.of(options, version, "dsm"),
                        version.equals(LOCKS));
        return switch (version) {
            case "mp" ->
                    new Solved(
                            node -> messages(size, node),
                            (root, results) -> verify(size, root, results));
            case "seq" ->
                    Solved.onOneThread(
                            node -> sequential(size, node),
                            (root, results) -> verify(size, root, results));
            default -> loops(size);
        };
    }
}
