package io.muninn.apps.mult;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
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
        --version V      dsm, mp (message passing) or seq (dsm)
        """;
    }

    @Override
    public List<String> versions() {
        return List.of("dsm", "mp", "seq");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options = Options.parse(words, "size=", "version=");
        int size = options.integer("size", 400, 1, 16384);
        return switch (options.choice("version", versions())) {
            case "mp" -> new MultMessages(size);
            case "seq" -> new MultSequential(size);
            default -> new MultShared(size);
        };
    }
}
