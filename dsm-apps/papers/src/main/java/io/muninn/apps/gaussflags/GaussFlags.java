package io.muninn.apps.gaussflags;

import static io.muninn.apps.Structure.PLAIN;
import static io.muninn.apps.Structure.READERS;
import static io.muninn.apps.Structure.REMOTE;
import static io.muninn.apps.Structure.SEPARATED;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import io.muninn.apps.Structure;
import java.util.List;

/** The entry of Gaussian elimination with flags in the list of programs. */
public final class GaussFlags implements BuiltInProgram {
    private static final List<String> LEVELS = List.of(PLAIN, SEPARATED, READERS, REMOTE);

    @Override
    public String name() {
        return "gauss-flags";
    }

    @Override
    public String summary() {
        return "Gaussian elimination, a lock for each row (Kontothanassis and Scott, section 3)";
    }

    @Override
    public String usage() {
        return "--size N         rows and columns, 1 to 2048 (448)\n"
                + Structure.usage(LEVELS)
                + "--version V      dsm (dsm)\n";
    }

    @Override
    public List<String> versions() {
        return List.of("dsm");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options = Options.parse(words, "size=", Structure.OPTION, "version=");
        options.choice("version", versions());
        int size = options.integer("size", 448, 1, 2048);
        return new GaussFlagsProgram(size, Structure.of(options, LEVELS));
    }
}
