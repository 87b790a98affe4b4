package io.muninn.apps;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The entry of an SPMD program: all threads run the same code on parts of the data, with barriers
 * and locks. The versions are shared memory, for some programs with optional prefetches, message
 * passing, and one thread. The default sizes are those of the source.
 *
 * <p>Source: Mowry, Chan and Lo, "Comparative Evaluation of Latency Tolerance Techniques for
 * Software Distributed Shared Memory", sections 2.3, 3.2, 4.2 and 5.1. The programs are written
 * from published descriptions of their algorithms, each named where it is used.
 *
 * @param <S> the size of the program
 */
public abstract class SpmdEntry<S> implements BuiltInProgram {
    private final String name;
    private final String summary;
    private final List<Number> numbers;
    private final Optional<Distance> distance;

    /**
     * An option that is an integer.
     *
     * @param option name of the option, without dashes
     * @param meaning meaning of the number
     * @param usual default, as in the source
     * @param least least value that the program can compute
     * @param most greatest value that an array or a run can hold
     */
    public record Number(String option, String meaning, int usual, int least, int most) {
        String usage() {
            return String.format(
                    Locale.ROOT,
                    "%-17s%s, %d to %d (%d)\n",
                    "--" + option + " N",
                    meaning,
                    least,
                    most,
                    usual);
        }

        /** The option's value. */
        public int of(Options options) {
            return options.integer(option, usual, least, most);
        }
    }

    /**
     * The prefetch distance of a program.
     *
     * @param unit unit of distances, in the plural
     * @param usual default distance
     */
    public record Distance(String unit, int usual) {}

    /**
     * A program with optional prefetches.
     *
     * @param what summary of the program
     * @param numbers options for its size
     */
    protected SpmdEntry(String name, String what, List<Number> numbers, Distance distance) {
        this.name = name;
        this.summary = what;
        this.numbers = numbers;
        this.distance = Optional.of(distance);
    }

    /**
     * A program without prefetches.
     *
     * @param what summary of the program
     * @param numbers options for its size
     */
    protected SpmdEntry(String name, String what, List<Number> numbers) {
        this.name = name;
        this.summary = what;
        this.numbers = numbers;
        this.distance = Optional.empty();
    }

    /** Lines of usage for options that are no integers. */
    protected String choicesUsage() {
        return "";
    }

    /** Options that are no integers, for {@link Options#parse}. */
    protected List<String> choices() {
        return List.of();
    }

    /**
     * The size that the options select.
     *
     * @throws IllegalArgumentException if the program cannot compute it; the message is for the
     *     user
     */
    protected abstract S size(Options options);

    /**
     * The program over shared memory.
     *
     * @param prefetching {@link Prefetching#OFF} for a program without prefetches
     */
    protected abstract DsmProgram shared(S size, Prefetching prefetching);

    /**
     * One thread's part of the program with messages. Collective.
     *
     * @return the results on the root's first thread; empty on others
     */
    protected abstract double[] messages(S size, DsmNode node);

    /** The results of the program on the calling thread. */
    protected abstract double[] sequential(S size, DsmNode node);

    /** Checks results of any version. */
    protected abstract Verdict verify(S size, DsmNode root, double[] results);

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String summary() {
        return summary;
    }

    @Override
    public final String usage() {
        StringBuilder usage = new StringBuilder();
        numbers.forEach(number -> usage.append(number.usage()));
        usage.append(choicesUsage());
        distance.ifPresent(of -> usage.append(Prefetching.usage(of.unit(), of.usual())));
        return usage.append("--version V      dsm, mp (message passing) or seq (dsm)\n").toString();
    }

    @Override
    public final List<String> versions() {
        return List.of("dsm", "mp", "seq");
    }

    @Override
    public final boolean hidesLatency() {
        return distance.isPresent();
    }

    @Override
    public final DsmProgram create(List<String> words) {
        List<String> known = new ArrayList<>(choices());
        numbers.forEach(number -> known.add(number.option() + "="));
        distance.ifPresent(_ -> known.addAll(Prefetching.OPTIONS));
        known.add("version=");
        Options options = Options.parse(words, known.toArray(String[]::new));
        String version = options.choice("version", versions());
        S size = size(options);
        Prefetching prefetching =
                distance.map(of -> Prefetching.of(options, version, of.usual()))
                        .orElse(Prefetching.OFF);
        return switch (version) {
            case "mp" ->
                    new Solved(
                            node -> messages(size, node),
                            (root, results) -> verify(size, root, results));
            case "seq" ->
                    Solved.onOneThread(
                            node -> sequential(size, node),
                            (root, results) -> verify(size, root, results));
            default -> shared(size, prefetching);
        };
    }
}
