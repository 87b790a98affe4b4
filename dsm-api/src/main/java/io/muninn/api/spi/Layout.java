package io.muninn.api.spi;

import java.util.List;
import java.util.Optional;

/**
 * All regions of a cluster in order of offset: the same on every node without a message, because
 * every node declares the same variables (Munin section 3.2's symbol table of the shared segment).
 *
 * @param regions region {@code i} has index {@code i}; they do not overlap
 */
public record Layout(List<RegionSpec> regions) {
    public Layout {
        regions = List.copyOf(regions);
        long end = 0;
        for (int i = 0; i < regions.size(); i++) {
            RegionSpec region = regions.get(i);
            if (region.index() != i || region.offset() < end) {
                throw new IllegalArgumentException("region " + region + " is out of order");
            }
            end = region.offset() + region.bytes();
        }
    }

    /** Bytes from 0 to the end of the last region. */
    public long bytes() {
        return regions.isEmpty() ? 0 : regions.getLast().offset() + regions.getLast().bytes();
    }

    /** The same layout with every region under one protocol. */
    public Layout withProtocol(io.muninn.api.Protocol protocol) {
        return new Layout(
                regions.stream()
                        .map(r ->
                                new RegionSpec(
                                        r.index(),
                                        r.name(),
                                        protocol,
                                        r.offset(),
                                        r.bytes(),
                                        r.granuleBytes(),
                                        r.unitPages(),
                                        r.variables()))
                        .toList());
    }

    /**
     * What differs between this layout and another, in the first variable that differs.
     *
     * @return empty when the two are equal; otherwise a text that names the variable and both
     *     shapes
     */
    public Optional<String> firstDifference(Layout other) {
        for (int i = 0; i < Math.max(regions.size(), other.regions.size()); i++) {
            if (i >= regions.size()) {
                return Optional.of("variable " + other.regions.get(i).name() + " is missing here");
            }
            if (i >= other.regions.size()) {
                return Optional.of("variable " + regions.get(i).name() + " is missing there");
            }
            RegionSpec here = regions.get(i);
            RegionSpec there = other.regions.get(i);
            if (!here.equals(there)) {
                return Optional.of(regionDifference(here, there));
            }
        }
        return Optional.empty();
    }

    private static String regionDifference(RegionSpec here, RegionSpec there) {
        List<VariableSpec> ours = here.variables();
        List<VariableSpec> theirs = there.variables();
        for (int i = 0; i < Math.min(ours.size(), theirs.size()); i++) {
            if (!ours.get(i).equals(theirs.get(i))) {
                return "variable "
                        + describe(ours.get(i))
                        + " here, "
                        + describe(theirs.get(i))
                        + " there";
            }
        }
        return "variable "
                + here.name()
                + " is "
                + traits(here)
                + " here, "
                + there.name()
                + " is "
                + traits(there)
                + " there";
    }

    private static String describe(VariableSpec variable) {
        return variable.name() + " is " + variable.type();
    }

    private static String traits(RegionSpec region) {
        return region.protocol()
                + " of "
                + region.bytes()
                + " bytes, granule "
                + region.granuleBytes()
                + ", unit "
                + region.unitPages()
                + " pages";
    }
}
