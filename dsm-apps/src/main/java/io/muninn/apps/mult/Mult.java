package io.muninn.apps.mult;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import io.muninn.apps.Repeats;
import java.util.List;

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
        return """
        --size N         rows and columns of the square matrices, 1 to 16384 (400)
        --repeat N       how often, each time with matrices of its own, 1 to 100 (1)
        --version V      dsm, mp (message passing) or seq (dsm)
        """;
    }

    @Override
    public List<String> versions() {
        return List.of("dsm", "mp", "seq");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options = Options.parse(words, "size=", "repeat=", "version=");
        int size = options.integer("size", 400, 1, 16384);
        int repeat = options.integer("repeat", 1, 1, Repeats.COUNT_MAX);
        return switch (options.choice("version", versions())) {
            case "mp" -> new MultMessages(size, repeat);
            case "seq" -> new MultSequential(size, repeat);
            default -> new MultShared(size, repeat);
        };
    }
}
