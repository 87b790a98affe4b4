package io.muninn.bench.shape;

import io.muninn.api.ByteArray;
import io.muninn.api.DoubleArray;
import io.muninn.api.FloatArray;
import io.muninn.api.IntArray;
import io.muninn.api.LongArray;
import io.muninn.api.ShortArray;
import io.muninn.api.StructArray;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/** Red-black relaxations of one-dimensional arrays of every type, sparse rows, and structs. */
final class LineShapes {
    private static final int LENGTH = 100_000;
    private static final int SWEEPS = 2000;

    /** Elements in a sparse row. */
    private static final int WIDTH = 8;

    private static final StructLayout BODY =
            MemoryLayout.structLayout(
                    ValueLayout.JAVA_DOUBLE.withName("place"),
                    ValueLayout.JAVA_DOUBLE.withName("speed"));
    private static final long PLACE = 0;
    private static final long SPEED = Double.BYTES;

    static final List<Shape> ALL =
            List.of(
                    Shape.stencil(
                            "bytes",
                            () -> ByteArray.local(LENGTH),
                            LineShapes::relax,
                            () -> new byte[LENGTH],
                            LineShapes::relax),
                    Shape.stencil(
                            "shorts",
                            () -> ShortArray.local(LENGTH),
                            LineShapes::relax,
                            () -> new short[LENGTH],
                            LineShapes::relax),
                    Shape.stencil(
                            "ints",
                            () -> IntArray.local(LENGTH),
                            LineShapes::relax,
                            () -> new int[LENGTH],
                            LineShapes::relax),
                    Shape.stencil(
                            "longs",
                            () -> LongArray.local(LENGTH),
                            LineShapes::relax,
                            () -> new long[LENGTH],
                            LineShapes::relax),
                    Shape.stencil(
                            "floats",
                            () -> FloatArray.local(LENGTH),
                            LineShapes::relax,
                            () -> new float[LENGTH],
                            LineShapes::relax),
                    Shape.stencil(
                            "doubles",
                            () -> DoubleArray.local(LENGTH),
                            LineShapes::relax,
                            () -> new double[LENGTH],
                            LineShapes::relax),
                    Shape.other(
                            "sparse-rows",
                            SparseView::new,
                            LineShapes::product,
                            SparseArrays::new,
                            LineShapes::product),
                    Shape.other(
                            "structs",
                            () -> StructArray.local(BODY, LENGTH),
                            LineShapes::move,
                            () -> new double[2 * LENGTH],
                            LineShapes::move));

    private LineShapes() {}

    private static double relax(ByteArray a) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                for (int i = 1 + p; i < LENGTH - 1; i += 2) {
                    a.set(i, (byte) ((a.get(i - 1) + a.get(i + 1)) / 2 + 3));
                }
            }
        }
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += a.get(i);
        }
        return sum;
    }

    private static double relax(byte[] a) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                for (int i = 1 + p; i < LENGTH - 1; i += 2) {
                    a[i] = (byte) ((a[i - 1] + a[i + 1]) / 2 + 3);
                }
            }
        }
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += a[i];
        }
        return sum;
    }

    private static double relax(ShortArray a) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                for (int i = 1 + p; i < LENGTH - 1; i += 2) {
                    a.set(i, (short) ((a.get(i - 1) + a.get(i + 1)) / 2 + 3));
                }
            }
        }
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += a.get(i);
        }
        return sum;
    }

    private static double relax(short[] a) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                for (int i = 1 + p; i < LENGTH - 1; i += 2) {
                    a[i] = (short) ((a[i - 1] + a[i + 1]) / 2 + 3);
                }
            }
        }
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += a[i];
        }
        return sum;
    }

    private static double relax(IntArray a) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                for (int i = 1 + p; i < LENGTH - 1; i += 2) {
                    a.set(i, (a.get(i - 1) + a.get(i + 1)) / 2 + 3);
                }
            }
        }
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += a.get(i);
        }
        return sum;
    }

    private static double relax(int[] a) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                for (int i = 1 + p; i < LENGTH - 1; i += 2) {
                    a[i] = (a[i - 1] + a[i + 1]) / 2 + 3;
                }
            }
        }
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += a[i];
        }
        return sum;
    }

    private static double relax(LongArray a) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                for (int i = 1 + p; i < LENGTH - 1; i += 2) {
                    a.set(i, (a.get(i - 1) + a.get(i + 1)) / 2 + 3);
                }
            }
        }
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += a.get(i);
        }
        return sum;
    }

    private static double relax(long[] a) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                for (int i = 1 + p; i < LENGTH - 1; i += 2) {
                    a[i] = (a[i - 1] + a[i + 1]) / 2 + 3;
                }
            }
        }
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += a[i];
        }
        return sum;
    }

    private static double relax(FloatArray a) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                for (int i = 1 + p; i < LENGTH - 1; i += 2) {
                    a.set(i, 0.5f * (a.get(i - 1) + a.get(i + 1)) + 0.25f);
                }
            }
        }
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += a.get(i);
        }
        return sum;
    }

    private static double relax(float[] a) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                for (int i = 1 + p; i < LENGTH - 1; i += 2) {
                    a[i] = 0.5f * (a[i - 1] + a[i + 1]) + 0.25f;
                }
            }
        }
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += a[i];
        }
        return sum;
    }

    private static double relax(DoubleArray a) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                for (int i = 1 + p; i < LENGTH - 1; i += 2) {
                    a.set(i, 0.5 * (a.get(i - 1) + a.get(i + 1)) + 0.25);
                }
            }
        }
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += a.get(i);
        }
        return sum;
    }

    private static double relax(double[] a) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int p = 0; p < 2; p++) {
                for (int i = 1 + p; i < LENGTH - 1; i += 2) {
                    a[i] = 0.5 * (a[i - 1] + a[i + 1]) + 0.25;
                }
            }
        }
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += a[i];
        }
        return sum;
    }

    /**
     * A sparse matrix with {@link #WIDTH} elements in each row, and an array of their column
     * indices.
     */
    private record SparseView(IntArray columns, DoubleArray values, DoubleArray x, DoubleArray y) {
        SparseView() {
            this(
                    IntArray.local(LENGTH * WIDTH),
                    DoubleArray.local(LENGTH * WIDTH),
                    DoubleArray.local(LENGTH),
                    DoubleArray.local(LENGTH));
            for (int k = 0; k < LENGTH * WIDTH; k++) {
                columns.set(k, column(k));
                values.set(k, k % 3);
            }
            x.fill(1);
        }
    }

    private record SparseArrays(int[] columns, double[] values, double[] x, double[] y) {
        SparseArrays() {
            this(
                    new int[LENGTH * WIDTH],
                    new double[LENGTH * WIDTH],
                    new double[LENGTH],
                    new double[LENGTH]);
            Arrays.setAll(columns, LineShapes::column);
            Arrays.setAll(values, k -> k % 3);
            Arrays.fill(x, 1);
        }
    }

    /** The column of element {@code k}: near the diagonal, in irregular order. */
    private static int column(int k) {
        return Math.floorMod(k / WIDTH + k % WIDTH * 37 * (k % 5 - 2), LENGTH);
    }

    private static double product(SparseView data) {
        IntArray columns = data.columns;
        DoubleArray values = data.values;
        DoubleArray x = data.x;
        DoubleArray y = data.y;
        for (int sweep = 0; sweep < SWEEPS / WIDTH; sweep++) {
            for (int i = 0; i < LENGTH; i++) {
                double sum = 0;
                for (int k = i * WIDTH; k < (i + 1) * WIDTH; k++) {
                    sum += values.get(k) * x.get(columns.get(k));
                }
                y.set(i, y.get(i) + sum);
            }
        }
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += y.get(i);
        }
        return sum;
    }

    private static double product(SparseArrays data) {
        int[] columns = data.columns;
        double[] values = data.values;
        double[] x = data.x;
        double[] y = data.y;
        for (int sweep = 0; sweep < SWEEPS / WIDTH; sweep++) {
            for (int i = 0; i < LENGTH; i++) {
                double sum = 0;
                for (int k = i * WIDTH; k < (i + 1) * WIDTH; k++) {
                    sum += values[k] * x[columns[k]];
                }
                y[i] += sum;
            }
        }
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += y[i];
        }
        return sum;
    }

    private static double move(StructArray bodies) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int i = 1; i < LENGTH; i++) {
                double before = bodies.getDouble(i - 1, PLACE);
                double speed = 0.5 * bodies.getDouble(i, SPEED) + 0.25 * before + 1;
                bodies.setDouble(i, SPEED, speed);
                bodies.setDouble(i, PLACE, 0.5 * bodies.getDouble(i, PLACE) + 0.1 * speed);
            }
        }
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += bodies.getDouble(i, PLACE);
        }
        return sum;
    }

    private static double move(double[] bodies) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int i = 1; i < LENGTH; i++) {
                double before = bodies[2 * (i - 1)];
                double speed = 0.5 * bodies[2 * i + 1] + 0.25 * before + 1;
                bodies[2 * i + 1] = speed;
                bodies[2 * i] = 0.5 * bodies[2 * i] + 0.1 * speed;
            }
        }
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += bodies[2 * i];
        }
        return sum;
    }
}
