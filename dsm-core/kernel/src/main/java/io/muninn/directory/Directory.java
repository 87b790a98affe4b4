package io.muninn.directory;

import io.muninn.api.spi.RegionSpec;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The directory entries of one protocol's regions. An entry exists from the first event that names
 * its page; until then the page is in its initial state: on the root owned and untouched, on other
 * nodes absent with the root as probable owner.
 *
 * <p><b>Order.</b> {@link #forEach} iterates by region and page, the same in every run.
 *
 * @param <S> the protocol's states
 */
public final class Directory<S> {
    private static final int CHUNK_BITS = 10;
    private static final int CHUNK = 1 << CHUNK_BITS;

    private final NodeId self;
    private final Supplier<S> initial;
    private final List<Region<S>> regions = new ArrayList<>();

    /**
     * @param initial creates the state of a page that no event has named yet
     */
    public Directory(NodeId self, Supplier<S> initial) {
        this.self = self;
        this.initial = initial;
    }

    /** Adds a region whose pages follow this directory's protocol. */
    public void add(RegionSpec spec) {
        add(spec, initial);
    }

    /**
     * The same of a region with another initial state.
     *
     * @param first creates the state of a page that no event has named yet
     */
    public void add(RegionSpec spec, Supplier<S> first) {
        while (regions.size() <= spec.index()) {
            regions.add(Region.none());
        }
        regions.set(spec.index(), new Region<>(spec, first));
    }

    /**
     * Returns the entry of a page, creating it if necessary.
     *
     * @throws IllegalArgumentException if the page is in none of this directory's regions
     */
    public DirectoryEntry<S> entry(PageId page) {
        Region<S> region = region(page);
        DirectoryEntry<S>[] chunk = region.chunk(page.index() >> CHUNK_BITS);
        DirectoryEntry<S> entry = chunk[page.index() & (CHUNK - 1)];
        if (entry == null) {
            entry = fresh(page);
            chunk[page.index() & (CHUNK - 1)] = entry;
        }
        return entry;
    }

    /**
     * Returns the entry of a page, or the one that would be created, without changing the
     * directory.
     *
     * @throws IllegalArgumentException if the page is in none of this directory's regions
     */
    public DirectoryEntry<S> peek(PageId page) {
        DirectoryEntry<S>[] chunk = region(page).chunks[page.index() >> CHUNK_BITS];
        DirectoryEntry<S> entry = chunk == null ? null : chunk[page.index() & (CHUNK - 1)];
        return entry == null ? fresh(page) : entry;
    }

    private DirectoryEntry<S> fresh(PageId page) {
        Copyset holders = self.isRoot() ? Copyset.of(self) : Copyset.EMPTY;
        return new DirectoryEntry<>(page, region(page).initial.get(), NodeId.ROOT, holders);
    }

    /** Calls the action for every existing entry, by region and page. */
    public void forEach(Consumer<DirectoryEntry<S>> action) {
        for (Region<S> region : regions) {
            for (DirectoryEntry<S>[] chunk : region.chunks) {
                forEachInChunk(chunk, action);
            }
        }
    }

    private static <S> void forEachInChunk(
            DirectoryEntry<S>[] chunk, Consumer<DirectoryEntry<S>> action) {
        if (chunk == null) {
            return;
        }
        for (DirectoryEntry<S> entry : chunk) {
            if (entry != null) {
                action.accept(entry);
            }
        }
    }

    private Region<S> region(PageId page) {
        if (page.region() >= regions.size() || page.index() >= regions.get(page.region()).pages) {
            throw new IllegalArgumentException("page " + page + " is in no region here");
        }
        return regions.get(page.region());
    }

    /** Chunks of entries; a chunk is null until one of its pages is named. */
    private static final class Region<S> {
        final int pages;
        final Supplier<S> initial;
        final DirectoryEntry<S>[][] chunks;

        Region(RegionSpec spec, Supplier<S> initial) {
            this.initial = initial;
            pages = spec.pages();
            chunks = newChunks((pages + CHUNK - 1) >> CHUNK_BITS);
        }

        private Region() {
            initial =
                    () -> {
                        throw new IllegalStateException("no region");
                    };
            pages = 0;
            chunks = newChunks(0);
        }

        static <S> Region<S> none() {
            return new Region<>();
        }

        DirectoryEntry<S>[] chunk(int index) {
            if (chunks[index] == null) {
                chunks[index] = newChunk(Math.min(CHUNK, pages - index * CHUNK));
            }
            return chunks[index];
        }

        @SuppressWarnings({"unchecked", "rawtypes"}) // generic arrays cannot be created otherwise
        private static <S> DirectoryEntry<S>[][] newChunks(int count) {
            return (DirectoryEntry<S>[][]) new DirectoryEntry[count][];
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        private static <S> DirectoryEntry<S>[] newChunk(int length) {
            return (DirectoryEntry<S>[]) new DirectoryEntry[length];
        }
    }
}
