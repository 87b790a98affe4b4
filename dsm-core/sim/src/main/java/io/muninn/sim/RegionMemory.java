package io.muninn.sim;

import io.muninn.api.spi.RegionSpec;
import io.muninn.model.NodeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The memory of regions on all nodes, as each of them sees it: in one piece. In a cluster of more
 * nodes than a live one has, each node has a private mapping of an empty file: only what a node
 * stores to takes memory then, and the file takes none on its disk. A node of many touches little
 * of a large variable. All mappings are of one file, so that pages which are only read are in
 * memory once. Small regions are allocated.
 *
 * <p>All threads may call it.
 */
public final class RegionMemory {
    private static final long SPARSE_BYTES_MIN = 256L << 20;

    private RegionMemory() {}

    /** True if a node takes memory for the pages of a region that it uses, and not for all. */
    public static boolean isSparse(long bytes, int nodes) {
        return nodes > NodeId.LIVE_MAX && bytes >= SPARSE_BYTES_MIN / nodes;
    }

    /** The memory of a region on one of the nodes. */
    static MemorySegment allocate(Arena arena, RegionSpec spec, int nodes) {
        return isSparse(spec.bytes(), nodes)
                ? map(arena, spec.bytes())
                : arena.allocate(spec.bytes(), RegionSpec.MACHINE_PAGE_BYTES);
    }

    private static MemorySegment map(Arena arena, long bytes) {
        try {
            return EmptyFile.OF_ALL.map(arena, bytes);
        } catch (IOException cannot) {
            throw new UncheckedIOException(
                    "cannot map " + bytes + " bytes of a file in the temporary folder", cannot);
        }
    }

    /** A file without a name, which grows to the longest mapping; the JVM's end removes it. */
    private static final class EmptyFile {
        static final EmptyFile OF_ALL = new EmptyFile();

        private @Nullable FileChannel channel; // null until the first mapping

        synchronized MemorySegment map(Arena arena, long bytes) throws IOException {
            FileChannel file = channel;
            if (file == null || !file.isOpen()) { // an interrupt closes it
                file = open();
                channel = file;
            }
            if (file.size() < bytes) {
                file.write(ByteBuffer.allocate(1), bytes - 1);
            }
            return file.map(MapMode.PRIVATE, 0, bytes, arena);
        }

        private static FileChannel open() throws IOException {
            Path file = Files.createTempFile("dsm-sim", null);
            try {
                return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
            } finally {
                Files.delete(file);
            }
        }
    }
}
