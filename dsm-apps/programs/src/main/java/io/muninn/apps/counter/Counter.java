package io.muninn.apps.counter;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import java.util.List;

/** The entry of {@link CounterProgram} in the list of programs. */
public final class Counter implements BuiltInProgram {
    @Override
    public String name() {
        return "counter";
    }

    @Override
    public String summary() {
        return "every thread increments one word under one lock";
    }

    @Override
    public String usage() {
        return """
        --increments N   by every thread, 0 to 1000000000 (2000)
        --version V      dsm (dsm)
        """;
    }

    @Override
    public List<String> versions() {
        return List.of("dsm");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options = Options.parse(words, "increments=", "version=");
        options.choice("version", versions());
        return new CounterProgram(options.integer("increments", 2000, 0, 1_000_000_000));
    }
}
