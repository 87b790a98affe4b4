package io.muninn.apps.ocean;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import io.muninn.api.spi.Options;
import io.muninn.apps.Prefetching;
import io.muninn.apps.SpmdEntry;
import java.util.List;
import java.util.Locale;

/** The entry of OCEAN in the list of programs. */
public final class Ocean extends SpmdEntry<OceanSize> {
    private static final Number SIZE =
            new Number("size", "rows and columns, two more than a power of two", 258, 6, 2050);
    private static final List<String> LAYOUTS = List.of("contiguous", "rows");
    private static final Number STEPS = new Number("steps", "of time", 6, 0, 1000);

    public Ocean() {
        super(
                "ocean",
                "currents of two layers in a basin, with multigrid (Mowry, section 2.3)",
                List.of(SIZE, STEPS),
                new Distance("rows", 4));
    }

    @Override
    protected String choicesUsage() {
        return "--layout L       contiguous (by thread) or rows (contiguous)\n";
    }

    @Override
    protected List<String> choices() {
        return List.of("layout=");
    }

    @Override
    protected OceanSize size(Options options) {
        int size = SIZE.of(options);
        if (Integer.bitCount(size - 2) != 1) {
            throw new IllegalArgumentException(
                    "option --size is two more than a power of two, not '" + size + "'");
        }
        OceanSize.Layout layout =
                OceanSize.Layout.valueOf(
                        options.choice("layout", LAYOUTS).toUpperCase(Locale.ROOT));
        return new OceanSize(size - 2, STEPS.of(options), layout);
    }

    @Override
    protected DsmProgram shared(OceanSize size, Prefetching prefetching) {
        return new OceanShared(size, prefetching);
    }

    @Override
    protected double[] messages(OceanSize size, DsmNode node) {
        return OceanMessages.run(size, node);
    }

    @Override
    protected double[] sequential(OceanSize size, DsmNode node) {
        return OceanRun.alone(size, new OceanCells(OceanCells.CENTRE), node);
    }

    @Override
    protected Verdict verify(OceanSize size, DsmNode root, double[] results) {
        return OceanOracle.verify(size, root, results);
    }
}
