package io.muninn.apps.contend;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import java.util.List;

/** The entry of {@link ContendProgram} in the list of programs. */
public final class Contend implements BuiltInProgram {
    @Override
    public String name() {
        return "contend";
    }

    @Override
    public String summary() {
        return "threads store to one page without synchronization";
    }

    @Override
    public String usage() {
        return """
        --stores N       by every thread, 0 to 10000000 (5000)
        --version V      dsm (dsm)
        """;
    }

    @Override
    public List<String> versions() {
        return List.of("dsm");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options = Options.parse(words, "stores=", "version=");
        options.choice("version", versions());
        return new ContendProgram(options.integer("stores", 5000, 0, 10_000_000));
    }
}
