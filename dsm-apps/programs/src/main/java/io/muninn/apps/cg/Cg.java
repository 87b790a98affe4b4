package io.muninn.apps.cg;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import io.muninn.apps.Repeats;
import java.util.List;
import java.util.Locale;

/** The entry of CG in the list of programs. */
public final class Cg implements BuiltInProgram {
    @Override
    public String name() {
        return "cg";
    }

    @Override
    public String summary() {
        return "conjugate gradients on a sparse random matrix";
    }

    @Override
    public String usage() {
        return """
        --size N         equations and unknowns, 1 to 500000 (7000)
        --others N       non-zeros of a row beside the diagonal, on average, 0 to 1000 (11)
        --iterations N   1 to 10000 (50)
        --repeat N       how often, each time with another right-hand side, 1 to 100 (1)
        --version V      dsm, mp (message passing) or seq (dsm)
        """;
    }

    @Override
    public List<String> versions() {
        return List.of("dsm", "mp", "seq");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options = parse(words);
        CgSize size =
                new CgSize(
                        options.integer("size", 7000, 1, 500_000),
                        options.integer("others", 11, 0, 1000),
                        options.integer("iterations", 50, 1, 10_000),
                        options.integer("repeat", 1, 1, Repeats.COUNT_MAX));
        String version = options.choice("version", versions());
        if (size.elements() > CgSize.ELEMENTS_MAX) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "matrix of --size %d and --others %d has %d elements, more than %d",
                            size.unknowns(),
                            size.others(),
                            size.elements(),
                            CgSize.ELEMENTS_MAX));
        }
        return switch (version) {
            case "mp" -> new CgMessages(size);
            case "seq" -> new CgSequential(size);
            default -> new CgShared(size);
        };
    }

    @Override
    public void checkCluster(List<String> words, int nodes, int threads) {
        int positions = nodes * threads;
        if (parse(words).choice("version", versions()).equals("dsm")
                && positions > CgShared.POSITIONS_MAX) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "runs on at most %d threads, not %d",
                            CgShared.POSITIONS_MAX,
                            positions));
        }
    }

    private static Options parse(List<String> words) {
        return Options.parse(words, "size=", "others=", "iterations=", "repeat=", "version=");
    }
}
