package io.muninn.api.spi;

import io.muninn.api.Protocol;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The layout of a run in which variables are allocated: regions are added behind those that are
 * there. One more takes the same time however many there are; a {@link Layout} of all of them does
 * not.
 *
 * <p><b>Threads.</b> One at a time.
 */
public final class GrowingLayout {
    private final List<RegionSpec> regions = new ArrayList<>();
    private final LayoutChecks checks = new LayoutChecks();
    private long pages;

    /** Begins with the regions that are declared. */
    public GrowingLayout(Layout declared) {
        declared.regions().forEach(this::add);
    }

    /** In order of offset; seen through, not copied. */
    public List<RegionSpec> regions() {
        return Collections.unmodifiableList(regions);
    }

    /** The layout at this moment. */
    public Layout layout() {
        return new Layout(regions);
    }

    /** Bytes from 0 to the end of the last region. */
    public long bytes() {
        return regions.isEmpty() ? 0 : regions.getLast().end();
    }

    /** Pages of all regions. */
    public long pages() {
        return pages;
    }

    /**
     * The region that an allocation would add, which holds one variable; it is not added yet.
     *
     * @param name of variable and region, not yet in the layout
     * @throws IllegalArgumentException if the name is taken or all together are too large, naming
     *     the variable
     */
    public RegionSpec next(String name, ViewSpec spec, Protocol protocol) {
        return next(name, spec, protocol, spec.granuleBytes(), 1);
    }

    /**
     * The same with a granule and a unit of coherence that the run overrides.
     *
     * @param unitPages machine pages per page of coherence, see {@link RegionSpec}
     */
    public RegionSpec next(
            String name, ViewSpec spec, Protocol protocol, int granuleBytes, int unitPages) {
        VariableSpec variable = new VariableSpec(name, spec.type(), 0, spec.bytes());
        RegionSpec region =
                Layout.behind(
                        regions.size(),
                        bytes(),
                        name,
                        protocol,
                        granuleBytes,
                        unitPages,
                        List.of(variable));
        checks.check(region);
        return region;
    }

    /**
     * Adds a region behind the others.
     *
     * @throws IllegalArgumentException if it cannot follow them, see {@link Layout}
     */
    public void add(RegionSpec region) {
        checks.add(region);
        regions.add(region);
        pages += region.pages();
    }
}
