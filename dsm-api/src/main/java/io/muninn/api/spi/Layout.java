package io.muninn.api.spi;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All regions of a cluster in order of offset. It is the same on every node without a message,
 * because every node declares the same variables (the table of shared symbols in Munin §3.2).
 *
 * <p>Immutable. {@link #toText} and {@link #hash} depend only on the regions, so nodes may compare
 * either.
 *
 * @param regions region {@code i} has index {@code i}; they do not overlap; their names differ
 * @param remotes the remote variables, in the same way: each is a region of a memory of their own;
 *     protocols and units do not matter
 */
public record Layout(List<RegionSpec> regions, List<RegionSpec> remotes) {
    /**
     * Largest size of all regions together, in bytes: 64 TiB, half of a process's address space.
     */
    public static final long BYTES_MAX = 1L << 46;

    /** Alignment of variables that share pages, in bytes: the size of the widest element. */
    private static final int PACK_ALIGNMENT_BYTES = 8;

    /** The layout without regions. */
    public static final Layout EMPTY = new Layout(List.of());

    /**
     * @throws IllegalArgumentException if regions are out of order, overlap, or end beyond {@link
     *     #BYTES_MAX}, or if two regions or two variables share a name
     */
    public Layout {
        regions = List.copyOf(regions);
        remotes = List.copyOf(remotes);
        LayoutChecks checks = new LayoutChecks();
        regions.forEach(checks::add);
        LayoutChecks remoteChecks = checks.ofRemotes();
        remotes.forEach(remoteChecks::add);
    }

    /** A layout without remote variables. */
    public Layout(List<RegionSpec> regions) {
        this(regions, List.of());
    }

    /** Bytes from 0 to the end of the last remote variable. */
    public long remoteBytes() {
        return remotes.isEmpty() ? 0 : remotes.getLast().end();
    }

    /** Bytes from 0 to the end of the last region. */
    public long bytes() {
        return regions.isEmpty() ? 0 : regions.getLast().end();
    }

    /** Returns this layout with every region under one protocol. */
    public Layout withProtocol(Protocol protocol) {
        return new Layout(regions.stream().map(r -> r.withProtocol(protocol)).toList(), remotes);
    }

    /** Returns this layout with every region compared byte by byte. */
    public Layout withByteGranules() {
        return new Layout(regions.stream().map(RegionSpec::withByteGranules).toList(), remotes);
    }

    /**
     * Returns a layout of the same variables with larger pages: regions with smaller pages get this
     * size, and all are placed anew in the same order.
     *
     * @param pagesMin machine pages per page of coherence: a power of two, 1 to {@link
     *     RegionSpec#UNIT_PAGES_MAX}
     * @throws IllegalArgumentException if the unit is invalid or the layout would be too large
     */
    public Layout withUnitPages(int pagesMin) {
        Layout larger = new Layout(List.of(), remotes);
        for (RegionSpec r : regions) {
            int unitPages = Math.max(r.unitPages(), pagesMin);
            larger =
                    larger.append(
                            r.name(),
                            r.protocol(),
                            r.granuleBytes(),
                            unitPages,
                            r.home(),
                            r.variables());
        }
        return larger;
    }

    /**
     * Returns a layout in which variables of one protocol, unit and home share pages, as variables
     * declared {@code packed} do: their regions become one with the name of the first.
     *
     * @throws IllegalArgumentException if the layout would be too large
     */
    public Layout packed() {
        Map<List<Object>, List<RegionSpec>> groups = new LinkedHashMap<>();
        for (RegionSpec r : regions) {
            groups.computeIfAbsent(
                            List.of(r.protocol(), r.unitPages(), r.home()), _ -> new ArrayList<>())
                    .add(r);
        }
        Layout packed = new Layout(List.of(), remotes);
        for (List<RegionSpec> group : groups.values()) {
            RegionSpec first = group.getFirst();
            packed =
                    packed.appendPacked(
                            first.name(),
                            first.protocol(),
                            group.stream().mapToInt(RegionSpec::granuleBytes).min().orElseThrow(),
                            first.unitPages(),
                            first.home(),
                            group.stream().flatMap(r -> r.variables().stream()).toList());
        }
        return packed;
    }

    /**
     * Returns this layout with one more region at its end that holds one variable, where {@link
     * GrowingLayout} would place an allocation.
     *
     * @param name of variable and region, not yet in the layout
     * @throws IllegalArgumentException if the name is in use or the layout would be too large,
     *     naming the variable
     */
    public Layout append(String name, ViewSpec spec, Protocol protocol) {
        VariableSpec variable = new VariableSpec(name, spec.type(), 0, spec.bytes());
        return append(name, protocol, spec.granuleBytes(), 1, Home.BANDED, List.of(variable));
    }

    /**
     * Returns this layout with one more region at its end, in which variables lie one behind the
     * other.
     *
     * @param unplaced at least one, in order; their offsets do not matter
     * @throws IllegalArgumentException if the layout would be too large, naming the variable
     */
    Layout appendPacked(
            String name,
            Protocol protocol,
            int granuleBytes,
            int unitPages,
            Home home,
            List<VariableSpec> unplaced) {
        List<VariableSpec> variables = new ArrayList<>();
        long end = 0;
        for (VariableSpec v : unplaced) {
            long offset = alignUp(end, PACK_ALIGNMENT_BYTES);
            VariableSpec variable = new VariableSpec(v.name(), v.type(), offset, v.bytes());
            checkFits(bytes() + offset, variable);
            variables.add(variable);
            end = offset + v.bytes();
        }
        return append(name, protocol, granuleBytes, unitPages, home, variables);
    }

    /**
     * Returns this layout with one more region at its end, of as many pages as its variables need.
     * It starts at the first multiple of its page size.
     *
     * @param variables in order of offset, at least one
     */
    Layout append(
            String name,
            Protocol protocol,
            int granuleBytes,
            int unitPages,
            Home home,
            List<VariableSpec> variables) {
        List<RegionSpec> more = new ArrayList<>(regions);
        more.add(
                behind(
                        regions.size(),
                        bytes(),
                        name,
                        protocol,
                        granuleBytes,
                        unitPages,
                        home,
                        variables));
        return new Layout(more, remotes);
    }

    /**
     * Returns this layout with one more remote variable behind the others.
     *
     * @throws IllegalArgumentException if the layout would be too large, naming the variable
     */
    Layout appendRemote(VariableSpec variable, int granuleBytes, Home home) {
        List<RegionSpec> more = new ArrayList<>(remotes);
        more.add(
                behind(
                        remotes.size(),
                        remoteBytes(),
                        variable.name(),
                        Protocol.CONVENTIONAL,
                        granuleBytes,
                        1,
                        home,
                        List.of(variable)));
        return new Layout(regions, more);
    }

    /**
     * Creates the region that starts at the first multiple of its page size from {@code end} on.
     */
    static RegionSpec behind(
            int index,
            long end,
            String name,
            Protocol protocol,
            int granuleBytes,
            int unitPages,
            Home home,
            List<VariableSpec> variables) {
        RegionSpec.checkUnit(name, unitPages);
        int pageBytes = unitPages * RegionSpec.MACHINE_PAGE_BYTES;
        VariableSpec last = variables.getLast();
        long offset = alignUp(end, pageBytes);
        checkFits(offset + last.offset(), last);
        long bytes = alignUp(last.offset() + last.bytes(), pageBytes);
        return new RegionSpec(
                index, name, protocol, offset, bytes, granuleBytes, unitPages, home, variables);
    }

    /**
     * Describes the first variable that differs between this layout and another.
     *
     * @return empty when the two are equal; otherwise a text that names the variable and both
     *     shapes
     */
    public Optional<String> firstDifference(Layout other) {
        return LayoutChecks.firstDifference(this, other);
    }

    /**
     * The layout as lines of text, the same for equal layouts; {@link #parse} reads it.
     *
     * <pre>
     * muninn-layout 1
     * region NAME PROTOCOL-CODE OFFSET BYTES GRANULE-BYTES UNIT-PAGES [HOME-CODE]
     * variable NAME TYPE OFFSET BYTES            (of the region above)
     * remote NAME PROTOCOL-CODE OFFSET BYTES GRANULE-BYTES UNIT-PAGES [HOME-CODE]
     * </pre>
     *
     * Remote variables stand behind all regions, each with the line of its variable.
     *
     * <p>Numbers are decimal. The home is written only if it is not {@link Home#BANDED}. In names
     * and types, blanks, {@code %} and characters other than printable ASCII are written as {@code
     * %} and four hexadecimal digits for each UTF-16 unit.
     */
    public String toText() {
        return LayoutText.format(this);
    }

    /**
     * Parses the result of {@link #toText}.
     *
     * @throws IllegalArgumentException if the text has another version, is malformed or is not a
     *     layout; the message gives the line
     */
    public static Layout parse(String text) {
        return LayoutText.parse(text);
    }

    /** The first 64 bits of the SHA-256 of {@link #toText}, to compare layouts. */
    public long hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return ByteBuffer.wrap(digest.digest(toText().getBytes(StandardCharsets.US_ASCII)))
                    .getLong();
        } catch (NoSuchAlgorithmException cause) {
            throw new IllegalStateException("every Java platform has SHA-256", cause);
        }
    }

    /** Rounds {@code bytes} up to a multiple of {@code alignment}, a power of two. */
    static long alignUp(long bytes, long alignment) {
        return (bytes + alignment - 1) & -alignment;
    }

    /** Checks that a variable does not end beyond {@link #BYTES_MAX}. */
    static void checkFits(long offset, VariableSpec variable) {
        if (variable.bytes() > BYTES_MAX - offset) {
            throw new IllegalArgumentException(
                    "variable "
                            + variable.name()
                            + " of "
                            + variable.bytes()
                            + " bytes does not fit: all variables together are limited to "
                            + BYTES_MAX
                            + " bytes and "
                            + offset
                            + " are taken");
        }
    }
}
