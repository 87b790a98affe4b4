package io.muninn.agent.memory;

import io.muninn.api.spi.RegionSpec;
import io.muninn.model.PageId;
import io.muninn.nativefault.FaultEngine;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.Payload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The bytes that payloads name: of pages, twins, diffs and frames.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class PageBytes {
    private final FaultEngine engine;
    private final PageTable table;
    private final PageClaims claims;
    private final DiffStore diffs;
    private Optional<LivePool> pool = Optional.empty();
    private MemorySegment zeroPage = Arena.global().allocate(RegionSpec.MACHINE_PAGE_BYTES);

    PageBytes(FaultEngine engine, PageTable table, PageClaims claims, DiffStore diffs) {
        this.engine = engine;
        this.table = table;
        this.claims = claims;
        this.diffs = diffs;
    }

    /** Adds a region, whose pages may be larger than those before. */
    void add(RegionSpec region) {
        if (zeroPage.byteSize() < region.pageBytes()) {
            zeroPage = Arena.global().allocate(region.pageBytes(), Long.BYTES);
        }
    }

    /** Takes frames from a pool from now on. */
    void use(LivePool of) {
        pool = Optional.of(of);
    }

    /** Zeros, at most the bytes of the largest page. */
    MemorySegment zeros(int bytes) {
        return zeroPage.asSlice(0, bytes);
    }

    /** The bytes that a payload names now; none for a page of zeros. */
    MemorySegment of(Payload payload) {
        return switch (payload) {
            case Payload.PageImage(PageId page) ->
                    claims.isLifting(page) ? unlessZero(twin(page)) : image(page);
            case Payload.LiveImage(PageId page) -> image(page);
            case Payload.TwinImage(PageId page) -> unlessZero(twin(page));
            case Payload.SavedDiff(PageId page, long interval) -> diffs.saved(page, interval);
            case Payload.KeptDiff(PageId page, long keep) -> diffs.kept(page, keep);
            case Payload.LastingDiff(PageId page, long keep) -> diffs.kept(page, keep);
            case Payload.Received(MemorySegment bytes, _) -> bytes;
            case Payload.PoolFrame(PageId page) -> frame(page);
            case Payload.ServedFrame(PageId page, _) -> unlessZero(frame(page));
            case Payload.None() -> MemorySegment.NULL;
        };
    }

    /**
     * The bytes of an image that is to be installed; none for zeros.
     *
     * @throws MalformedMessageException if it does not have the size of the page
     */
    MemorySegment ofImage(PageId page, Payload image) {
        if (image instanceof Payload.PoolFrame(PageId of)) {
            return frame(of);
        }
        if (!(image instanceof Payload.Received(MemorySegment bytes, boolean zero))) {
            throw new IllegalArgumentException("cannot install " + image);
        }
        int expected = table.pageBytes(page);
        if (!zero && bytes.byteSize() != expected) {
            throw new MalformedMessageException(
                    "page " + page + " of " + expected + " bytes came as " + bytes.byteSize());
        }
        return zero ? MemorySegment.NULL : bytes;
    }

    /** The bytes of a page's twin, which it must have. */
    MemorySegment twin(PageId page) {
        return MemorySegment.ofAddress(table.existingTwin(page)).reinterpret(table.pageBytes(page));
    }

    private MemorySegment frame(PageId page) {
        return pool.orElseThrow(() -> new IllegalStateException("no pool has page " + page))
                .frame(page);
    }

    private MemorySegment image(PageId page) {
        long offset = table.offset(page);
        int pageBytes = table.pageBytes(page);
        if (!table.hasContent(page) || engine.isZero(offset, pageBytes)) {
            return MemorySegment.NULL;
        }
        return engine.alias().asSlice(offset, pageBytes);
    }

    private MemorySegment unlessZero(MemorySegment page) {
        long bytes = page.byteSize();
        boolean zero = MemorySegment.mismatch(page, 0, bytes, zeroPage, 0, bytes) < 0;
        return zero ? MemorySegment.NULL : page;
    }
}
