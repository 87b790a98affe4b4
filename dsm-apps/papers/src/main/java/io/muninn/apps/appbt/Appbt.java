package io.muninn.apps.appbt;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import io.muninn.apps.Structure;
import java.util.List;

/** The entry of the solver of tridiagonal systems in the list of programs. */
public final class Appbt implements BuiltInProgram {
    /** Records begin where pages do. */
    static final String ALIGNED = "aligned";

    private static final List<String> LEVELS = List.of(Structure.PLAIN, ALIGNED, Structure.REMOTE);

    @Override
    public String name() {
        return "appbt";
    }

    @Override
    public String summary() {
        return "Navier-Stokes equations by tridiagonal lines (Kontothanassis and Scott,"
                + " section 3)";
    }

    @Override
    public String usage() {
        return "--size N         points along each axis, 5 to 64 (12)\n"
                + "--steps N        of time, 0 to 1000 (60)\n"
                + Structure.usage(LEVELS)
                + "--version V      dsm (dsm)\n";
    }

    @Override
    public List<String> versions() {
        return List.of("dsm");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options = Options.parse(words, "size=", "steps=", Structure.OPTION, "version=");
        options.choice("version", versions());
        return new AppbtProgram(
                options.integer("size", 12, 5, 64),
                options.integer("steps", 60, 0, 1000),
                Structure.of(options, LEVELS));
    }
}
