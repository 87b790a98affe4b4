package io.muninn.api.spi;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The layout of a run that allocates variables: regions are appended after the existing ones.
 * Adding a region takes constant time, regardless of their number; creating a {@link Layout} of all
 * of them does not.
 *
 * <p><b>Threads.</b> Not thread-safe.
 */
public final class GrowingLayout {
    private final List<RegionSpec> regions = new ArrayList<>();
    private final List<RegionSpec> remotes;
    private final LayoutChecks checks = new LayoutChecks();
    private long pages;

    /** Creates a layout of the declared regions. */
    public GrowingLayout(Layout declared) {
        remotes = declared.remotes();
        declared.regions().forEach(this::add);
        LayoutChecks names = checks.ofRemotes();
        remotes.forEach(names::add);
    }

    /** The regions in order of offset: a live view, not a copy. */
    public List<RegionSpec> regions() {
        return Collections.unmodifiableList(regions);
    }

    /** The current layout. */
    public Layout layout() {
        return new Layout(regions, remotes);
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
     * Returns the region that an allocation would add, with one variable, without adding it.
     *
     * @param name of variable and region, not yet in the layout
     * @throws IllegalArgumentException if the name is in use or the layout would be too large,
     *     naming the variable
     */
    public RegionSpec next(String name, ViewSpec spec, Protocol protocol, Home home) {
        return next(name, spec, protocol, home, spec.granuleBytes(), 1);
    }

    /**
     * As {@link #next(String, ViewSpec, Protocol, Home)}, with a granule and a unit of coherence
     * that the run overrides.
     *
     * @param unitPages machine pages per page of coherence, see {@link RegionSpec}
     */
    public RegionSpec next(
            String name,
            ViewSpec spec,
            Protocol protocol,
            Home home,
            int granuleBytes,
            int unitPages) {
        VariableSpec variable = new VariableSpec(name, spec.type(), 0, spec.bytes());
        RegionSpec region =
                Layout.behind(
                        regions.size(),
                        bytes(),
                        name,
                        protocol,
                        granuleBytes,
                        unitPages,
                        home,
                        List.of(variable));
        checks.check(region);
        return region;
    }

    /**
     * Adds a region after the others.
     *
     * @throws IllegalArgumentException if it cannot follow them, see {@link Layout}
     */
    public void add(RegionSpec region) {
        checks.add(region);
        regions.add(region);
        pages += region.pages();
    }
}
