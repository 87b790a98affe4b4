package io.muninn.apps;

import io.muninn.api.DsmNode;
import io.muninn.api.IntArray;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * A square image that is divided into square tiles, and the rendering of a sequence of such images
 * by the versions of a program. A tile is one task.
 *
 * <p><b>Shape.</b> Tiles are numbered row by row from 0. In memory, the pixels of a tile are
 * contiguous, row by row, and tiles are stored in order, so that a page contains pixels of few
 * tiles.
 *
 * @param side rows and columns of the image in pixels
 * @param tile rows and columns of a tile in pixels, a divisor of the side
 */
public record ImageTiles(int side, int tile) {
    /**
     * Computes pixels.
     *
     * <p><b>Threads.</b> Each has its own instance.
     */
    public interface Renderer {
        /** Computes a pixel. The result depends only on the arguments. */
        int pixel(int row, int column);

        /** Number of simple operations since the last call. */
        long units();
    }

    /**
     * @param side value of option {@code --image}
     * @param tile value of option {@code --tile}
     * @throws IllegalArgumentException if the tile does not divide the side; the text is for the
     *     user
     */
    public static ImageTiles of(int side, int tile) {
        if (side % tile != 0) {
            throw new IllegalArgumentException(
                    "option --tile is a divisor of " + side + ", not '" + tile + "'");
        }
        return new ImageTiles(side, tile);
    }

    /** Number of tiles of the image. */
    public int count() {
        return side / tile * (side / tile);
    }

    /** Number of pixels of a tile. */
    public int area() {
        return tile * tile;
    }

    /** Number of pixels of the image. */
    public int pixels() {
        return side * side;
    }

    /**
     * Renders a sequence of images on the calling thread.
     *
     * @param renderers by frame
     * @return the pixels of all frames
     */
    public double[] alone(DsmNode node, int frames, IntFunction<Renderer> renderers) {
        double[] images = new double[frames * pixels()];
        for (int frame = 0; frame < frames; frame++) {
            Renderer renderer = renderers.apply(frame);
            int[] image = new int[pixels()];
            for (int task = 0; task < count(); task++) {
                render(node, task, renderer, image, task * area());
            }
            store(image, images, frame);
        }
        return images;
    }

    /**
     * Renders tiles until the queues are empty.
     *
     * @param image pixels in shared memory
     * @param from index of the image's first pixel
     */
    public void shared(
            DsmNode node, StealingQueues queues, IntArray image, int from, Renderer renderer) {
        int[] pixels = new int[area()];
        int task = queues.take();
        while (task != StealingQueues.NONE) {
            render(node, task, renderer, pixels, 0);
            image.copyFrom(from + task * area(), pixels, 0, area());
            task = queues.take();
        }
    }

    /** The first {@code count} pixels in shared memory, for a comparison with {@link #alone}. */
    public static double[] pixels(IntArray images, int count) {
        int[] pixels = new int[count];
        images.copyTo(0, pixels, 0, count);
        return Arrays.stream(pixels).asDoubleStream().toArray();
    }

    /**
     * Renders a sequence of images without shared memory: tile <em>i</em> is rendered by the thread
     * at position <em>i</em> modulo the number of threads, and the root collects all tiles.
     * Collective.
     *
     * @param renderers by frame
     * @return the pixels of all frames on the root's first thread; empty on others
     */
    public double[] messages(
            DsmNode node, Exchange exchange, int frames, IntFunction<Renderer> renderers) {
        double[] images = new double[node.position() == 0 ? frames * pixels() : 0];
        for (int frame = 0; frame < frames; frame++) {
            store(messages(node, exchange, renderers.apply(frame)), images, frame);
        }
        return images;
    }

    private int[] messages(DsmNode node, Exchange exchange, Renderer renderer) {
        int self = node.position();
        int positions = node.positions();
        int[] mine = new int[tasks(self, positions) * area()];
        for (int i = 0; i < tasks(self, positions); i++) {
            render(node, self + i * positions, renderer, mine, i * area());
        }
        int[][] parts = new int[positions][];
        MemorySegment[] in = new MemorySegment[positions];
        for (int i = 0; i < positions; i++) {
            parts[i] = new int[self == 0 ? tasks(i, positions) * area() : 0];
            in[i] = MemorySegment.ofArray(parts[i]);
        }
        exchange.collect(MemorySegment.ofArray(mine), in);
        if (self != 0) {
            return new int[0];
        }
        int[] image = new int[pixels()];
        for (int task = 0; task < count(); task++) {
            int[] part = parts[task % positions];
            System.arraycopy(part, task / positions * area(), image, task * area(), area());
        }
        return image;
    }

    private static void store(int[] image, double[] images, int frame) {
        for (int i = 0; i < image.length; i++) {
            images[frame * image.length + i] = image[i];
        }
    }

    /** Number of tiles that a thread renders in the version with messages. */
    private int tasks(int position, int positions) {
        return (count() - position + positions - 1) / positions;
    }

    private void render(DsmNode node, int task, Renderer renderer, int[] target, int from) {
        int tiles = side / tile;
        int row = task / tiles * tile;
        int column = task % tiles * tile;
        for (int i = 0; i < area(); i++) {
            target[from + i] = renderer.pixel(row + i / tile, column + i % tile);
        }
        node.work(renderer.units());
    }
}
