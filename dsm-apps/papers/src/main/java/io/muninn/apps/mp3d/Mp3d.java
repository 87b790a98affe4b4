package io.muninn.apps.mp3d;

import static io.muninn.apps.Structure.PADDED;
import static io.muninn.apps.Structure.PLAIN;
import static io.muninn.apps.Structure.REMOTE;
import static io.muninn.apps.Structure.SEPARATED;
import static io.muninn.apps.Structure.SORTED;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import io.muninn.apps.Structure;
import java.util.List;

/** The entry of the rarefied flow in the list of programs. */
public final class Mp3d implements BuiltInProgram {
    private static final List<String> LEVELS = List.of(PLAIN, SEPARATED, PADDED, SORTED, REMOTE);

    @Override
    public String name() {
        return "mp3d";
    }

    @Override
    public String summary() {
        return "particles of a rarefied flow (Kontothanassis and Scott, section 3)";
    }

    @Override
    public String usage() {
        return "--particles N    in the tunnel, 1 to 1000000 (40000)\n"
                + "--steps N        of time, 0 to 1000 (10)\n"
                + "--seed N         of positions and velocities, 0 to 2147483647 (1)\n"
                + Structure.usage(LEVELS)
                + "--version V      dsm (dsm)\n";
    }

    @Override
    public List<String> versions() {
        return List.of("dsm");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options =
                Options.parse(words, "particles=", "steps=", "seed=", Structure.OPTION, "version=");
        options.choice("version", versions());
        Tunnel tunnel =
                new Tunnel(
                        options.integer("particles", 40_000, 1, 1_000_000),
                        options.integer("seed", 1, 0, Integer.MAX_VALUE));
        int steps = options.integer("steps", 10, 0, 1000);
        return new Mp3dProgram(tunnel, steps, Structure.of(options, LEVELS));
    }
}
