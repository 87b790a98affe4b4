package io.muninn.apps.diff;

import io.muninn.apps.Pattern;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Where a grid is warm at first. Its edges stay as they are; with {@link #EDGES} and {@link #LEFT}
 * a sweep changes only what heat has come to.
 */
enum Heat {
    /** Hot edges around values that no sweep leaves alone. */
    UNEVEN,

    /** Hot edges around zeros. */
    EDGES,

    /**
     * A hot left edge, all else zero. It is as Munin's grid must have been: every page along a
     * boundary changes in every sweep (conventional, 26.5 MB), but few words of it do (Munin, 3.6
     * MB; both Table 4).
     */
    LEFT;

    private static final long SEED = 3;
    private static final double HOT = 100;

    /** Its name on the command line. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static List<String> words() {
        return Arrays.stream(values()).map(Heat::word).toList();
    }

    /** The first value of an element. */
    double at(int row, int column, DiffSize size) {
        boolean isLeft = column == 0;
        boolean isEdge =
                isLeft || row == 0 || row == size.rows() - 1 || column == size.columns() - 1;
        return switch (this) {
            case UNEVEN -> isEdge ? HOT : Pattern.at(SEED, row, column);
            case EDGES -> isEdge ? HOT : 0;
            case LEFT -> isLeft ? HOT : 0;
        };
    }
}
