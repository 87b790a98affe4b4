package io.muninn.api.spi;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks that consecutive regions form a layout, and compares layouts. Checking one more region
 * takes constant time, regardless of their number.
 */
final class LayoutChecks {
    private final Set<String> regionNames = new HashSet<>();
    private final Set<String> variableNames;
    private long end;

    LayoutChecks() {
        this(new HashSet<>());
    }

    private LayoutChecks(Set<String> variableNames) {
        this.variableNames = variableNames;
    }

    /** The checks of remote variables, whose memory is another one. */
    LayoutChecks ofRemotes() {
        return new LayoutChecks(variableNames);
    }

    /**
     * Checks that a region may follow the added ones.
     *
     * @throws IllegalArgumentException as the constructor of {@link Layout}
     */
    void check(RegionSpec region) {
        if (region.index() != regionNames.size() || region.offset() < end) {
            throw new IllegalArgumentException("region " + region + " is out of order");
        }
        if (region.bytes() > Layout.BYTES_MAX - region.offset()) {
            throw new IllegalArgumentException(
                    "region "
                            + region.name()
                            + " of "
                            + region.bytes()
                            + " bytes at offset "
                            + region.offset()
                            + " ends beyond "
                            + Layout.BYTES_MAX);
        }
        if (regionNames.contains(region.name())) {
            throw new IllegalArgumentException("two regions are named " + region.name());
        }
        Set<String> own = new HashSet<>();
        for (VariableSpec variable : region.variables()) {
            if (variableNames.contains(variable.name()) || !own.add(variable.name())) {
                throw new IllegalArgumentException("two variables are named " + variable.name());
            }
        }
    }

    /** Checks a region and adds it. */
    void add(RegionSpec region) {
        check(region);
        regionNames.add(region.name());
        region.variables().forEach(variable -> variableNames.add(variable.name()));
        end = region.offset() + region.bytes();
    }

    static Optional<String> firstDifference(Layout here, Layout there) {
        return firstDifference(here.regions(), there.regions())
                .or(() -> firstDifference(here.remotes(), there.remotes()));
    }

    private static Optional<String> firstDifference(List<RegionSpec> here, List<RegionSpec> there) {
        int common = Math.min(here.size(), there.size());
        for (int i = 0; i < common; i++) {
            RegionSpec ours = here.get(i);
            RegionSpec theirs = there.get(i);
            if (!ours.equals(theirs)) {
                return Optional.of(regionDifference(here, ours, there, theirs));
            }
        }
        if (here.size() > common) {
            return Optional.of(missing(here.get(common), "there"));
        }
        if (there.size() > common) {
            return Optional.of(missing(there.get(common), "here"));
        }
        return Optional.empty();
    }

    private static String regionDifference(
            List<RegionSpec> here, RegionSpec ours, List<RegionSpec> there, RegionSpec theirs) {
        if (!ours.name().equals(theirs.name())) {
            if (!holdsRegion(there, ours.name())) {
                return missing(ours, "there");
            }
            if (!holdsRegion(here, theirs.name())) {
                return missing(theirs, "here");
            }
        }
        return variableDifference(ours.variables(), theirs.variables())
                .orElseGet(() ->
                        "variable "
                                + ours.name()
                                + " is "
                                + traits(ours)
                                + " here, "
                                + theirs.name()
                                + " is "
                                + traits(theirs)
                                + " there");
    }

    private static boolean holdsRegion(List<RegionSpec> regions, String name) {
        return regions.stream().anyMatch(region -> region.name().equals(name));
    }

    private static Optional<String> variableDifference(
            List<VariableSpec> ours, List<VariableSpec> theirs) {
        int common = Math.min(ours.size(), theirs.size());
        for (int i = 0; i < common; i++) {
            if (!ours.get(i).equals(theirs.get(i))) {
                return Optional.of(
                        "variable "
                                + describe(ours.get(i))
                                + " here, "
                                + describe(theirs.get(i))
                                + " there");
            }
        }
        if (ours.size() > common) {
            return Optional.of("variable " + ours.get(common).name() + " is missing there");
        }
        if (theirs.size() > common) {
            return Optional.of("variable " + theirs.get(common).name() + " is missing here");
        }
        return Optional.empty();
    }

    private static String missing(RegionSpec region, String where) {
        String name =
                region.variables().isEmpty() ? region.name() : region.variables().getFirst().name();
        return "variable " + name + " is missing " + where;
    }

    private static String describe(VariableSpec variable) {
        return variable.name() + " is " + variable.type() + " at offset " + variable.offset();
    }

    private static String traits(RegionSpec region) {
        return region.protocol()
                + " of "
                + region.bytes()
                + " bytes at offset "
                + region.offset()
                + ", granule "
                + region.granuleBytes()
                + ", unit "
                + region.unitPages()
                + " pages, home "
                + region.home();
    }
}
