package io.muninn.apps.lu;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import io.muninn.api.spi.Options;
import io.muninn.apps.Prefetching;
import io.muninn.apps.SpmdEntry;
import java.util.List;
import java.util.Locale;

/** The entry of LU in the list of programs. */
public final class Lu extends SpmdEntry<LuSize> {
    private static final Number SIZE =
            new Number("size", "rows and columns of the matrix", 1024, 1, 2048);

    /** The usual tile of the contiguous layouts, in rows and columns. */
    private static final int TILE_CONTIGUOUS = 32;

    private static final int TILE_ROWS = 128;
    private static final int TILE_MAX = 256;
    private static final List<String> LAYOUTS = List.of("contiguous", "rows", "owned");

    public Lu() {
        super(
                "lu",
                "LU factorization by tiles, without pivoting (Mowry, section 2.3)",
                List.of(SIZE),
                new Distance("products of tiles", 2));
    }

    @Override
    protected String choicesUsage() {
        return String.format(Locale.ROOT, choicesFormat(), TILE_MAX, TILE_CONTIGUOUS, TILE_ROWS);
    }

    private static String choicesFormat() {
        return """
        --layout L       contiguous (by tile), rows or owned (by thread and tile) (contiguous)
        --block N        rows and columns of a tile, 1 to %d, a divisor of the size (%d; rows: %d)
        """;
    }

    @Override
    protected List<String> choices() {
        return List.of("layout=", "block=");
    }

    @Override
    protected LuSize size(Options options) {
        LuSize.Layout layout =
                LuSize.Layout.valueOf(options.choice("layout", LAYOUTS).toUpperCase(Locale.ROOT));
        int size = SIZE.of(options);
        int usual = layout == LuSize.Layout.ROWS ? TILE_ROWS : TILE_CONTIGUOUS;
        int tile = options.integer("block", usual, 1, TILE_MAX);
        if (size % tile != 0) {
            throw new IllegalArgumentException(
                    "option --block is a divisor of " + size + ", not '" + tile + "'");
        }
        return new LuSize(size, tile, layout);
    }

    @Override
    protected DsmProgram shared(LuSize size, Prefetching prefetching) {
        return new LuShared(size, prefetching);
    }

    @Override
    protected double[] messages(LuSize size, DsmNode node) {
        return LuMessages.factor(size, node);
    }

    @Override
    protected double[] sequential(LuSize size, DsmNode node) {
        return LuSequential.factor(size, node);
    }

    @Override
    protected Verdict verify(LuSize size, DsmNode root, double[] results) {
        return LuOracle.verify(size, results);
    }
}
