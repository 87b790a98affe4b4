package io.muninn.api.spi;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.model.Names;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import java.util.List;
import java.util.Objects;

/**
 * A region: a named contiguous range of shared memory with one protocol, holding one variable or
 * several small ones.
 *
 * @param index position in the layout, from 0; a page's {@code region}
 * @param name the variable's name, or the name of the pack
 * @param protocol how copies are kept coherent
 * @param offset bytes from the start of the node's mapping; a multiple of {@link #pageBytes()}
 * @param bytes length, a multiple of {@link #pageBytes()}, at least one page
 * @param granuleBytes the unit that a diff compares and a store applies: 8, 4, 2 or 1
 * @param unitPages machine pages per page of coherence: a power of two, 1 to {@link
 *     #UNIT_PAGES_MAX}
 * @param home which node is the home of each page; ignored by protocols without homes
 * @param variables in order of offset
 */
public record RegionSpec(
        int index,
        String name,
        Protocol protocol,
        long offset,
        long bytes,
        int granuleBytes,
        int unitPages,
        Home home,
        List<VariableSpec> variables) {
    /** Size of a machine page, in bytes. */
    public static final int MACHINE_PAGE_BYTES = 4096;

    /** Largest unit of coherence, in machine pages (64 KiB). */
    public static final int UNIT_PAGES_MAX = 16;

    public RegionSpec {
        Names.check("region", name);
        variables = List.copyOf(variables);
        checkUnit(name, unitPages);
        if (granuleBytes < 1 || granuleBytes > 8 || Integer.bitCount(granuleBytes) != 1) {
            throw new IllegalArgumentException(
                    "region " + name + ": a granule of " + granuleBytes + " bytes");
        }
        long end = 0;
        for (VariableSpec variable : variables) {
            if (variable.offset() < end || variable.bytes() > bytes - variable.offset()) {
                throw new IllegalArgumentException(
                        "region " + name + " of " + bytes + " bytes cannot hold " + variable);
            }
            end = variable.offset() + variable.bytes();
        }
        int pageBytes = unitPages * MACHINE_PAGE_BYTES;
        if (offset < 0 || bytes <= 0 || offset % pageBytes != 0 || bytes % pageBytes != 0) {
            throw new IllegalArgumentException(
                    "region "
                            + name
                            + ": offset "
                            + offset
                            + ", bytes "
                            + bytes
                            + ", page "
                            + pageBytes);
        }
        if (bytes / pageBytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "region " + name + ": " + bytes + " bytes are too many pages");
        }
    }

    /** A region with the default home. */
    public RegionSpec(
            int index,
            String name,
            Protocol protocol,
            long offset,
            long bytes,
            int granuleBytes,
            int unitPages,
            List<VariableSpec> variables) {
        this(index, name, protocol, offset, bytes, granuleBytes, unitPages, Home.BANDED, variables);
    }

    /** Checks that a unit of coherence is a power of two in range. */
    static void checkUnit(String name, int unitPages) {
        if (unitPages < 1 || unitPages > UNIT_PAGES_MAX || Integer.bitCount(unitPages) != 1) {
            throw new IllegalArgumentException(
                    "region "
                            + name
                            + ": a unit of "
                            + unitPages
                            + " pages is not a power of two up to "
                            + UNIT_PAGES_MAX);
        }
    }

    /** Returns this region under another protocol. */
    public RegionSpec withProtocol(Protocol other) {
        return new RegionSpec(
                index, name, other, offset, bytes, granuleBytes, unitPages, home, variables);
    }

    /** Returns this region compared byte by byte. */
    public RegionSpec withByteGranules() {
        return new RegionSpec(index, name, protocol, offset, bytes, 1, unitPages, home, variables);
    }

    /** The end of the region, in bytes from the start of the mapping. */
    public long end() {
        return offset + bytes;
    }

    /** The region as lines of text; {@link #parse} reads it. The grammar is {@link Layout}'s. */
    public String toText() {
        return LayoutText.format(this);
    }

    /**
     * Parses the result of {@link #toText}.
     *
     * @param index the region's index, which the text does not contain
     * @throws IllegalArgumentException if the text is malformed or not a region
     */
    public static RegionSpec parse(int index, String text) {
        return LayoutText.parseRegion(index, text);
    }

    /** Size of one page of this region, in bytes. */
    public int pageBytes() {
        return unitPages * MACHINE_PAGE_BYTES;
    }

    /** Number of pages. */
    public int pages() {
        return (int) (bytes / pageBytes());
    }

    /**
     * The node that {@link #home} makes the home of a page at the start of a run; under {@link
     * Home#FIRST_TOUCH} the root.
     *
     * @param page 0 to {@link #pages()} - 1
     * @param nodes in the cluster, at least 1
     * @throws IndexOutOfBoundsException if there is no such page
     */
    public NodeId homeOf(int page, int nodes) {
        Objects.checkIndex(page, pages());
        return switch (home) {
            case BANDED -> NodeId.of((int) ((long) page * nodes / pages()));
            case CYCLIC -> NodeId.of(page % nodes);
            case ROOT, FIRST_TOUCH -> NodeId.ROOT;
        };
    }

    /**
     * The node that is the home of a page at the start of a run, if nodes have several processes:
     * the policy divides the pages among the processes, which are nodes to a program.
     *
     * @param nodes in the cluster, at least 1
     * @param threads of each
     * @throws IndexOutOfBoundsException if there is no such page
     */
    public NodeId homeOf(int page, int nodes, NodeThreads threads) {
        return threads.nodeOf(homeOf(page, nodes * threads.processes()));
    }
}
