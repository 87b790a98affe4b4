package io.muninn.apps.mult;

import io.muninn.api.DsmProgram;
import io.muninn.api.Schedule;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import io.muninn.apps.Repeats;
import io.muninn.apps.ScheduleOptions;
import java.util.List;
import java.util.Locale;

/** The entry of MULT in the list of programs. */
public final class Mult implements BuiltInProgram {
    @Override
    public String name() {
        return "mult";
    }

    @Override
    public String summary() {
        return "matrix multiplication (Munin, section 6.1)";
    }

    @Override
    public String usage() {
        return String.format(
                Locale.ROOT,
                """
                --size N         rows and columns of the square matrices, 1 to 16384 (400)
                --repeat N       how often, each time with matrices of its own, 1 to 100 (1)
                %s\
                --version V      dsm, loops (parallel loops), mp (message passing) or seq (dsm)
                """,
                ScheduleOptions.usage("loops"));
    }

    @Override
    public List<String> versions() {
        return List.of("dsm", "loops", "mp", "seq");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options =
                Options.parse(
                        words,
                        "size=",
                        "repeat=",
                        ScheduleOptions.SCHEDULE,
                        ScheduleOptions.CHUNK,
                        "version=");
        int size = options.integer("size", 400, 1, 16384);
        int repeat = options.integer("repeat", 1, 1, Repeats.COUNT_MAX);
        String version = options.choice("version", versions());
        Schedule schedule = ScheduleOptions.of(options, version, "loops");
        return switch (version) {
            case "loops" -> new MultLoops(size, repeat, schedule);
            case "mp" -> new MultMessages(size, repeat);
            case "seq" -> new MultSequential(size, repeat);
            default -> new MultShared(size, repeat);
        };
    }
}
