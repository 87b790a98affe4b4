package io.muninn.apps.diff;

import io.muninn.apps.Pattern;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The initial values of a grid. Its edges do not change. With {@link #EDGES} and {@link #LEFT} a
 * sweep changes only elements that heat has reached.
 */
enum Heat {
    /** Hot edges around uneven values, which every sweep changes. */
    UNEVEN,

    /** Hot edges around zeros. */
    EDGES,

    /**
     * A hot left edge; all other elements are zero. Munin's grid must have been similar: every page
     * along a boundary changes in every sweep (conventional, 26.5 MB), but only few words of it
     * (Munin, 3.6 MB; both in Table 4).
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

    /** The initial value of an element. */
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
