package io.muninn.apps.gauss;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import java.util.List;

/** The entry of GAUSS in the list of programs. */
public final class Gauss implements BuiltInProgram {
    @Override
    public String name() {
        return "gauss";
    }

    @Override
    public String summary() {
        return "Gaussian elimination with partial pivoting (Munin, section 6.6)";
    }

    @Override
    public String usage() {
        return """
        --size N         equations and unknowns, 1 to 4096 (256)
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
        GaussSize size = new GaussSize(options.integer("size", 256, 1, 4096));
        return switch (options.choice("version", versions())) {
            case "mp" -> new GaussMessages(size);
            case "seq" -> new GaussSequential(size);
            default -> new GaussShared(size);
        };
    }
}
