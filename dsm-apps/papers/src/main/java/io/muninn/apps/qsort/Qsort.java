package io.muninn.apps.qsort;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import java.util.List;

/** The entry of QSORT in the list of programs. */
public final class Qsort implements BuiltInProgram {
    @Override
    public String name() {
        return "qsort";
    }

    @Override
    public String summary() {
        return "quicksort with a queue of parts (Munin, section 6.4)";
    }

    @Override
    public String usage() {
        return """
        --size N         integers to be sorted, 1 to 16777216 (262144)
        --threshold N    most integers that a thread sorts alone, 1 to 65536 (1024)
        --tasks N        room for parts in the queue, 1 to 65536 (1024)
        --seed N         which integers, 0 or more (1)
        --version V      dsm, mp (message passing), ship (function shipping) or seq (dsm)
        """;
    }

    @Override
    public List<String> versions() {
        return List.of("dsm", "mp", "ship", "seq");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options =
                Options.parse(words, "size=", "threshold=", "tasks=", "seed=", "version=");
        QsortProblem problem =
                new QsortProblem(
                        options.integer("size", 262_144, 1, 1 << 24),
                        options.integer("threshold", 1024, 1, QsortProblem.THRESHOLD_MAX),
                        options.integer("tasks", 1024, 1, 1 << 16),
                        options.number("seed", 1, 0, Long.MAX_VALUE));
        return switch (options.choice("version", versions())) {
            case "mp" -> new QsortMessages(problem);
            case "ship" -> new QsortShipped(problem);
            case "seq" -> new QsortSequential(problem);
            default -> new QsortShared(problem);
        };
    }
}
