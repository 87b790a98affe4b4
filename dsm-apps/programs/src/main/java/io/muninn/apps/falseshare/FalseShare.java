package io.muninn.apps.falseshare;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import java.util.List;

/** The entry of {@link FalseShareProgram} in the list of programs. */
public final class FalseShare implements BuiltInProgram {
    @Override
    public String name() {
        return "falseshare";
    }

    @Override
    public String summary() {
        return "threads store to disjoint elements of the same pages";
    }

    @Override
    public String usage() {
        return """
        --rounds N       stores to every element, 0 to 1000000 (50)
        --pages N        pages of 4 KiB, 1 to 65536 (16)
        --version V      dsm (dsm)
        """;
    }

    @Override
    public List<String> versions() {
        return List.of("dsm");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options = Options.parse(words, "rounds=", "pages=", "version=");
        options.choice("version", versions());
        return new FalseShareProgram(
                options.integer("rounds", 50, 0, 1_000_000),
                options.integer("pages", 16, 1, 65536));
    }
}
