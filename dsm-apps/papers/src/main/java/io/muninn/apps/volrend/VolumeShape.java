package io.muninn.apps.volrend;

import io.muninn.apps.Pattern;

/**
 * Densities of the volume: nested ellipsoids like the skin, skull and brain of a head, with hollows
 * and dense balls in places that depend on the seed. Air is 0, bone {@value #BONE}.
 */
final class VolumeShape {
    static final int BONE = 220;

    private static final int SKIN = 70;
    private static final int LIQUID = 30;
    private static final int BRAIN = 110;
    private static final int BALLS = 12;

    private final int voxels;

    /** For each ball, its centre and its radius. Balls of even index are hollows. */
    private final double[][] balls = new double[BALLS][4];

    /** The folds of the brain, by voxel on an axis. */
    private final double[] folds;

    VolumeShape(VolumeSize size) {
        voxels = size.voxels();
        for (int i = 0; i < BALLS; i++) {
            for (int axis = 0; axis < 3; axis++) {
                balls[i][axis] = 0.55 * Pattern.at(size.seed(), i, axis);
            }
            balls[i][3] = 0.1 + 0.05 * Pattern.at(size.seed(), i, 3);
        }
        folds = new double[voxels];
        for (int i = 0; i < voxels; i++) {
            folds[i] = StrictMath.sin(20 * place(i));
        }
    }

    /** The coordinate of a voxel's centre, from -1 to 1. */
    private double place(int voxel) {
        return (2.0 * voxel + 1 - voxels) / voxels;
    }

    /** The density of a voxel, 0 to 255. */
    int density(int x, int y, int z) {
        double a = place(x);
        double b = place(y);
        double c = place(z);
        double ellipsoid = a * a / 0.5 + b * b / 0.7 + c * c / 0.8;
        if (ellipsoid > 1) {
            return 0;
        }
        for (int i = 0; i < BALLS; i++) {
            double[] ball = balls[i];
            double da = a - ball[0];
            double db = b - ball[1];
            double dc = c - ball[2];
            if (da * da + db * db + dc * dc < ball[3] * ball[3]) {
                return i % 2 == 0 ? 0 : BONE;
            }
        }
        if (ellipsoid > 0.85) {
            return SKIN;
        }
        if (ellipsoid > 0.7) {
            return BONE;
        }
        double brain = ellipsoid + 0.05 * folds[x] * folds[y] * folds[z];
        return brain > 0.6 ? LIQUID : BRAIN;
    }
}
