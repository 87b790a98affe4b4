package io.muninn.api.service;

import io.muninn.api.DsmLock;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.SharedVariable;
import io.muninn.api.spi.PageAdvice;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.ViewLink;
import io.muninn.model.PageId;
import java.util.Optional;

/**
 * The link of a variable's view, over the kernel.
 *
 * @param region the variable's region
 * @param start offset of the variable in the region, in bytes
 */
record RegionLink(KernelLink link, RegionSpec region, long start) implements ViewLink {
    @Override
    public void prefetch(long offset, long bytes, Mode mode) {
        int first = page(offset);
        int count = page(offset + bytes - 1) - first + 1;
        link.prefetch(
                new PageId(region.index(), first),
                Math.min(count, SharedVariable.PREFETCH_PAGES_MAX),
                mode);
    }

    @Override
    public Optional<Protocol> protocol() {
        return Optional.of(region.protocol());
    }

    @Override
    public void advise(long offset, long bytes, PageAdvice advice) {
        int first = page(offset);
        int count = page(offset + bytes - 1) - first + 1;
        if (advice instanceof PageAdvice.GuardedBy(String lock)
                && count > DsmLock.GUARDED_PAGES_MAX) {
            throw new IllegalArgumentException(
                    "lock "
                            + lock
                            + " guards at most "
                            + DsmLock.GUARDED_PAGES_MAX
                            + " pages; these elements lie on "
                            + count);
        }
        link.advise(new PageId(region.index(), first), count, advice);
    }

    @Override
    public int home(long offset) {
        return link.home(region, page(offset)).index();
    }

    private int page(long offset) {
        return (int) ((start + offset) / region.pageBytes());
    }
}
