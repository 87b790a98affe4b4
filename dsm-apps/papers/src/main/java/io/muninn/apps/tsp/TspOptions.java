package io.muninn.apps.tsp;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.Options;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The options of TSP-C and TSP-F, which are one program with different thresholds. */
final class TspOptions {
    static final List<String> VERSIONS = List.of("dsm", "mp", "ship", "seq");

    /** The versions that share the shortest tour. */
    private static final List<String> SHARING = List.of("dsm", "ship");

    private static final int CITIES = 18;

    /** Ten times the slots that the usual instance uses; unused slots are not sent. */
    private static final int SLOTS = 4096;

    private static final int SLOTS_MAX = 1 << 20;

    private TspOptions() {}

    static String usage(int threshold) {
        return String.format(
                Locale.ROOT,
                usageFormat(),
                TspInstance.CITIES_MAX,
                CITIES,
                TspInstance.SEED,
                TspInstance.CITIES_MAX,
                threshold,
                SLOTS_MAX,
                SLOTS);
    }

    private static String usageFormat() {
        return """
        --cities N       cities of the tour, 1 to %d (%d)
        --seed N         which distances, 0 or more (%d)
        --instance FILE  distances from a file: the number of cities, then a line for each city
        --threshold N    cities left when a thread completes a tour alone, 1 to %d (%d)
        --slots N        room for partial tours in the queue, 1 to %d (%d)
        --refresh N      dsm, ship: partial tours between two refreshes of a thread, 0 for none (0)
        --count          dsm: says how many partial tours were looked at
        --version V      dsm, mp (message passing), ship (function shipping) or seq (dsm)
        """;
    }

    /**
     * @param usual threshold used if the options give none
     * @throws IllegalArgumentException if an option or the instance file is invalid
     */
    static DsmProgram create(List<String> words, int usual) {
        Options options =
                Options.parse(
                        words,
                        "cities=",
                        "seed=",
                        "instance=",
                        "threshold=",
                        "slots=",
                        "refresh=",
                        "count",
                        "version=");
        Optional<String> file = options.text("instance");
        if (file.isPresent() && (options.flag("cities") || options.flag("seed"))) {
            throw new IllegalArgumentException(
                    "option --instance comes without --cities and --seed");
        }
        int cities = options.integer("cities", CITIES, 1, TspInstance.CITIES_MAX);
        long seed = options.number("seed", TspInstance.SEED, 0, Long.MAX_VALUE);
        TspInstance instance =
                file.map(name -> InstanceFile.read(Path.of(name)))
                        .orElseGet(() -> TspInstance.seeded(cities, seed));
        TspProblem problem =
                new TspProblem(
                        instance,
                        options.integer("threshold", usual, 1, TspInstance.CITIES_MAX),
                        options.integer("slots", SLOTS, 1, SLOTS_MAX),
                        options.number("refresh", 0, 0, Long.MAX_VALUE),
                        options.flag("count"));
        String version = options.choice("version", VERSIONS);
        if (problem.counts() && !version.equals(VERSIONS.getFirst())) {
            throw new IllegalArgumentException("option --count needs --version dsm");
        }
        if (problem.refreshUnits() > 0 && !SHARING.contains(version)) {
            throw new IllegalArgumentException("option --refresh needs --version dsm or ship");
        }
        return switch (version) {
            case "mp" -> new TspMessages(problem);
            case "ship" -> new TspShipped(problem);
            case "seq" -> new TspSequential(problem);
            default -> new TspShared(problem);
        };
    }
}
