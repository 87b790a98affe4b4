package io.muninn.apps.gcstorm;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import java.util.List;

/** The entry of {@link GcStormProgram} in the list of programs. */
public final class GcStorm implements BuiltInProgram {
    @Override
    public String name() {
        return "gcstorm";
    }

    @Override
    public String summary() {
        return "faults without pause while collections are forced";
    }

    @Override
    public String usage() {
        return """
        --seconds N      how long, 1 to 86400 (5)
        --version V      dsm, or ship (function shipping, too) (dsm)
        """;
    }

    @Override
    public List<String> versions() {
        return List.of("dsm", "ship");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options = Options.parse(words, "seconds=", "version=");
        boolean ships = options.choice("version", versions()).equals("ship");
        return new GcStormProgram(options.integer("seconds", 5, 1, 86_400), ships);
    }
}
