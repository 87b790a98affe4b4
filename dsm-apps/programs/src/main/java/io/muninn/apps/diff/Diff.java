package io.muninn.apps.diff;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import io.muninn.apps.Repeats;
import java.util.List;
import java.util.Locale;

/** The entry of DIFF in the list of programs. */
public final class Diff implements BuiltInProgram {
    @Override
    public String name() {
        return "diff";
    }

    @Override
    public String summary() {
        return "finite differencing on a grid (Munin, section 6.2)";
    }

    @Override
    public String usage() {
        return """
        --rows N         rows of the grid, edges included, 1 to 65536 (512)
        --columns N      columns of the grid, edges included, 1 to 65536 (512)
        --sweeps N       how often every element is averaged, 0 to 1000000 (100)
        --heat WHERE     where the grid is warm at first: uneven, edges or left (uneven)
        --repeat N       how often, each time on a grid of its own, 1 to 100 (1)
        --version V      dsm, mp (message passing) or seq (dsm)
        --trace          dsm only: print faults, twins, diffs and messages of every sweep
        """;
    }

    @Override
    public List<String> versions() {
        return List.of("dsm", "mp", "seq");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options =
                Options.parse(
                        words,
                        "rows=",
                        "columns=",
                        "sweeps=",
                        "repeat=",
                        "version=",
                        "trace",
                        "heat=");
        DiffSize size =
                new DiffSize(
                        options.integer("rows", 512, 1, 65536),
                        options.integer("columns", 512, 1, 65536),
                        options.integer("sweeps", 100, 0, 1_000_000),
                        Heat.valueOf(
                                options.choice("heat", Heat.words()).toUpperCase(Locale.ROOT)));
        String version = options.choice("version", versions());
        if (options.flag("trace") && !version.equals("dsm")) {
            throw new IllegalArgumentException("option --trace needs --version dsm");
        }
        int repeat = options.integer("repeat", 1, 1, Repeats.COUNT_MAX);
        if (options.flag("trace") && repeat > 1) {
            throw new IllegalArgumentException("option --trace needs --repeat 1");
        }
        return switch (version) {
            case "mp" -> new DiffMessages(size, repeat);
            case "seq" -> new DiffSequential(size, repeat);
            default -> new DiffShared(size, repeat, options.flag("trace"));
        };
    }
}
