package io.muninn.sim;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.diff.Diff;
import io.muninn.kernel.port.Pages;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.wire.Payload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A node's pages in memory of this process. Stricter than a machine: states on which no protocol
 * may rely (a twin of a page that threads can store to, an image over present content, a diff that
 * is never freed) are a {@link Violation}.
 */
public final class SimPages implements Pages {
    /** The name of the check, in violations. */
    public static final String CHECKER = "pages";

    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    private final SimNode node;
    private final Arena arena;
    private final AwaitedPages awaited;
    private final List<SimRegion> regions = new ArrayList<>();
    private final List<PageId> protectedPages = new ArrayList<>(); // in this step; may be lifted
    private final SimDiffs diffs = new SimDiffs(this::check);

    SimPages(SimNode node, Arena arena) {
        this.node = node;
        this.arena = arena;
        this.awaited = new AwaitedPages(node);
    }

    void add(RegionSpec spec) {
        ProtocolKind kind = ProtocolKind.of(spec.protocol(), node.simulation().cluster().updates());
        boolean pooled = kind.traits().has(Trait.POOLED);
        SimPool pool = node.pool();
        int nodes = node.simulation().cluster().nodes();
        MemorySegment memory =
                pooled
                        ? pool.add(spec, node.id(), arena)
                        : RegionMemory.allocate(arena, spec, nodes);
        regions.add(new SimRegion(spec, kind, memory, new SimFrame[spec.pages()]));
    }

    /** The place of a page's first byte in the node's shared memory. */
    long address(PageId page) {
        RegionSpec spec = spec(page.region());
        return spec.offset() + (long) page.index() * spec.pageBytes();
    }

    /** A region's bytes on this node, as an application sees them when it has access. */
    public MemorySegment memory(int region) {
        return regions.get(region).memory();
    }

    public RegionSpec spec(int region) {
        return regions.get(region).spec();
    }

    /** The registered kind of the protocol of a region's pages. */
    ProtocolKind kind(int region) {
        return regions.get(region).kind();
    }

    public int regionCount() {
        return regions.size();
    }

    /** The present access of the node's threads to a page. */
    public PageAccess access(PageId page) {
        return frame(page).access;
    }

    /** The present access of the threads of one process to a page. */
    public PageAccess access(PageId page, MappingId process) {
        SimFrame frame = frame(page);
        return frame.own.length == 0 ? frame.access : frame.own[process.index()];
    }

    /** True if the page's bytes are valid on this node. */
    public boolean isPresent(PageId page) {
        return frame(page).present;
    }

    public boolean hasTwin(PageId page) {
        return frame(page).twin != null;
    }

    public boolean isPoisoned(PageId page) {
        return frame(page).poisoned;
    }

    /** A page's bytes, which callers must not change; valid only if the page is present. */
    public MemorySegment content(PageId page) {
        return frame(page).memory;
    }

    /** A page's twin, which callers must not change; the empty segment if there is none. */
    public MemorySegment twin(PageId page) {
        MemorySegment twin = frame(page).twin;
        return twin == null ? NOTHING : twin;
    }

    /** The number of diffs that have not been freed. */
    public long diffsLeft() {
        return diffsLeft(_ -> true);
    }

    /** The number of diffs of these pages that have not been freed. */
    public long diffsLeft(Predicate<PageId> pages) {
        return diffs.left(pages);
    }

    @Override
    public void setAccess(MappingId mapping, PageId page, PageAccess access) {
        check(mapping, page);
        if (!frame(page).present) {
            return;
        }
        SimFrame frame = frame(page);
        if (isOneOfSeveral(mapping)) {
            give(page, mapping, access);
            return;
        }
        if (access == PageAccess.READ && (frame.isTrapped() || isAwaitedToStore(page))) {
            frame.wasProtected = true;
            protectedPages.add(page);
        }
        if (frame.withdrawals > 0 && access.compareTo(frame.access) < 0) {
            change(page, PageAccess.NONE); // the lower access is given when the withdrawal is done
        }
        give(page, access);
    }

    /**
     * Whether a thread that was woken to store to a page has the access and has not stored yet.
     * Considers the protocols whose releases protect pages: their acquires invalidate, or they make
     * diffs. Other protocols have hold times.
     */
    private boolean isAwaitedToStore(PageId page) {
        return frame(page).access == PageAccess.READ_WRITE
                && (hasTwins(page) || node.traits(page).has(Trait.ACQUIRES_INVALIDATE))
                && awaited.isAwaited(page, true);
    }

    private boolean hasTwins(PageId page) {
        return node.traits(page).has(Trait.TWINS);
    }

    /**
     * Ends a step. A page that the step has protected and not compared stays writable, with a twin,
     * if a thread is about to store to it: a thread that was woken, or one in its own trap. If the
     * protocol has no twins, the thread faults again.
     *
     * @return the pages that stay writable
     */
    List<SimNode.Trapped> lifted() {
        List<SimNode.Trapped> lifted = new ArrayList<>();
        for (PageId page : protectedPages) {
            SimFrame frame = frame(page);
            if (!hasTwins(page)) {
                awaited.raiseAgain(page);
            } else if (frame.wasProtected && isKept(page)) {
                if (frame.twin == null) {
                    copy(page, frame);
                }
                give(page, PageAccess.READ_WRITE);
                lifted.add(new SimNode.Trapped(storing(page), page, SimNode.Done.TWIN));
            } else {
                frame.isOfTrap &= !frame.wasProtected;
            }
            frame.wasProtected = false;
        }
        protectedPages.clear();
        return lifted;
    }

    /** The process with a thread that is about to store to a page. */
    private MappingId storing(PageId page) {
        return awaited.storing(page).orElse(MappingId.of(frame(page).trapOf));
    }

    /** Whether a page that the step has protected stays writable. */
    private boolean isKept(PageId page) {
        boolean isReadable = frame(page).access == PageAccess.READ; // still, not discarded since
        return isReadable && awaited.isAwaited(page, true)
                || frame(page).isTrapped() && node.simulation().delays().isInTrap();
    }

    /** True if an effect is about one process of several. */
    private boolean isOneOfSeveral(MappingId mapping) {
        return !mapping.equals(MappingId.ALL) && node.simulation().cluster().processes() > 1;
    }

    /** Gives one process of several an access. */
    private void give(PageId page, MappingId of, PageAccess access) {
        SimFrame frame = frame(page);
        check(frame.withdrawals == 0, page, "process " + of + " gets it while it is withdrawn");
        check(!frame.isLeaving(of), page, "it is being withdrawn from process " + of);
        if (access.compareTo(frame.access) > 0) {
            change(page, access);
        }
        frame.own[of.index()] = access;
        frame.unbar(of);
    }

    /** Gives threads an access, once no withdrawal is under way. */
    private void give(PageId page, PageAccess access) {
        SimFrame frame = frame(page);
        if (frame.withdrawals == 0) {
            change(page, access);
        } else {
            frame.afterwards = access;
        }
    }

    @Override
    public void withdraw(MappingId mapping, PageId first, int count) {
        check(mapping, first);
        node.goOnBeforeWithdrawal();
        boolean isOfOne = isOneOfSeveral(mapping);
        List<PageId> refused = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            PageId page = first.plus(i);
            SimFrame frame = frame(page);
            boolean isAwaited =
                    isOfOne ? awaited.isAwaitedBy(page, mapping) : awaited.isAwaited(page, false);
            boolean isOfTrap = frame.isTrapped() && (!isOfOne || frame.trapOf == mapping.index());
            if (isAwaited || isOfTrap && node.simulation().delays().isInTrap()) {
                refused.add(page);
            } else if (isOfOne) {
                frame.leaving(mapping, true);
            } else {
                frame.isOfTrap = false;
                frame.afterwards = PageAccess.NONE;
                frame.withdrawals++;
            }
        }
        node.planWithdrawal(
                new Event.AccessWithdrawn(mapping, first, count, refused),
                isOfOne && !hasAccess(mapping, first, count));
    }

    private boolean hasAccess(MappingId of, PageId first, int count) {
        return IntStream.range(0, count)
                .anyMatch(i -> access(first.plus(i), of) != PageAccess.NONE);
    }

    /** True while a withdrawal of access to the page is under way. */
    public boolean isWithdrawing(PageId page) {
        return frame(page).withdrawals > 0;
    }

    /** Ends a withdrawal: threads lose their access, and get what was given since. */
    void onWithdrawn(Event.AccessWithdrawn withdrawn) {
        for (int i = 0; i < withdrawn.count(); i++) {
            PageId page = withdrawn.first().plus(i);
            if (withdrawn.refused().contains(page)) {
                continue;
            }
            if (isOneOfSeveral(withdrawn.mapping())) {
                leave(page, withdrawn.mapping());
            } else {
                settle(page);
            }
        }
    }

    /** Ends the withdrawal of a page from one process of several. */
    private void leave(PageId page, MappingId of) {
        SimFrame frame = frame(page);
        frame.leave(of);
        node.accessShrinks(page, frame.access);
    }

    private void settle(PageId page) {
        SimFrame frame = frame(page);
        frame.withdrawals--;
        change(page, PageAccess.NONE);
        if (frame.withdrawals == 0) {
            change(page, frame.afterwards);
            if (frame.wakesAfterwards) {
                frame.wakesAfterwards = false;
                node.wakeUp(page);
            }
        }
    }

    private void change(PageId page, PageAccess access) {
        SimFrame frame = frame(page);
        boolean less = access.compareTo(frame.access) < 0;
        if (access != frame.access) {
            node.pageWork().accessChanged();
        }
        frame.access = access;
        changeInProcesses(frame, page);
        if (less) {
            node.accessShrinks(page, access);
        }
    }

    /**
     * Takes from each process what its node no longer has. The access of the node is given to the
     * processes with threads that stopped at the page, and to that of a trap that is not over.
     */
    private void changeInProcesses(SimFrame frame, PageId page) {
        if (frame.own.length == 0) {
            return;
        }
        frame.limitProcesses();
        boolean haveViews = node.traits(page).has(Trait.VIEWS);
        node.allThreads()
                .filter(thread ->
                        !haveViews && thread.isStoppedAt(page) || thread.isAboutToUse(page, false))
                .forEach(thread -> frame.giveUnlessBarred(thread.process()));
        if (frame.isTrapped()) {
            frame.giveUnlessBarred(MappingId.of(frame.trapOf));
        }
    }

    @Override
    public void install(MappingId mapping, PageId page, Payload image, PageAccess access) {
        check(mapping, page);
        SimFrame frame = frame(page);
        check(!frame.present, page, "an image over content");
        put(page, frame, bytes(image));
        node.updates().ifPresent(updates -> updates.installed(page));
        give(page, access);
    }

    private void checkSize(MemorySegment image, SimFrame frame, PageId page) {
        boolean fits = image.byteSize() == 0 || image.byteSize() == frame.memory.byteSize();
        check(fits, page, "an image of another size");
    }

    @Override
    public void merge(PageId page, Payload image) {
        SimFrame frame = frame(page);
        check(frame.present, page, "an image is merged into no content");
        MemorySegment bytes = bytes(image);
        checkSize(bytes, frame, page);
        long pageBytes = frame.memory.byteSize();
        if (frame.twin == null) {
            frame.put(bytes);
            node.pageWork().installed(address(page), (int) pageBytes);
            return;
        }
        MemorySegment whole =
                node.updates().map(updates -> updates.completed(page, bytes)).orElse(bytes);
        MemorySegment news = frame.newsOf(whole, granule(page));
        node.pageWork().merged(address(page), pageBytes, news, granule(page));
        frame.apply(news, granule(page));
    }

    @Override
    public void discard(PageId page) {
        SimFrame frame = frame(page);
        check(frame.twin == null, page, "a page with a twin is discarded");
        check(!frame.poisoned, page, "a poisoned page is discarded");
        frame.present = false;
        frame.afterwards = PageAccess.NONE;
        change(page, PageAccess.NONE);
        frame.memory.fill((byte) 0);
    }

    @Override
    public void poison(PageId page) {
        frame(page).poisoned = true;
        frame(page).afterwards = PageAccess.NONE;
        change(page, PageAccess.NONE);
        node.wakeUp(page);
    }

    /** Makes a page without content one of zeros, and applies the updates that have waited. */
    private void fill(PageId page, SimFrame frame) {
        if (!frame.present) {
            frame.fill();
            node.updates().ifPresent(updates -> updates.installed(page));
        }
    }

    @Override
    public void makeTwin(PageId page) {
        SimFrame frame = frame(page);
        check(frame.access != PageAccess.READ_WRITE, page, "a twin of a page being stored to");
        check(frame.twin == null, page, "a second twin");
        fill(page, frame);
        copy(page, frame);
        frame.isOfTrap = false;
    }

    /** Completes the trap of a thread that has entered a page: copies its frame, permits loads. */
    void entered(PageId page, MappingId process) {
        SimFrame frame = frame(page);
        check(!frame.present, page, "a trap's copy over content");
        put(page, frame, node.pool().copy(node.id(), page));
        change(page, PageAccess.READ);
        frame.entered(process);
    }

    private void put(PageId page, SimFrame frame, MemorySegment bytes) {
        checkSize(bytes, frame, page);
        frame.install(bytes);
        node.pageWork().installed(address(page), (int) frame.memory.byteSize());
    }

    /**
     * Performs the trap of a thread that stores to a readable page: makes the twin, and permits the
     * store.
     */
    void trap(PageId page, MappingId process) {
        SimFrame frame = frame(page);
        check(frame.access == PageAccess.READ, page, "a trap's twin of a page not only readable");
        check(frame.twin == null, page, "a trap's twin beside another");
        copy(page, frame);
        frame.isOfTrap = true;
        frame.trapOf = process.index();
        change(page, PageAccess.READ_WRITE);
    }

    private void copy(PageId page, SimFrame frame) {
        if (!isMapped(page)) {
            node.pageWork().copied((int) frame.memory.byteSize());
        }
        MemorySegment twin = MemorySegment.ofArray(new long[(int) frame.memory.byteSize() >> 3]);
        twin.copyFrom(frame.memory);
        frame.twin = twin;
    }

    @Override
    public void dropTwin(PageId page) {
        check(frame(page).twin != null, page, "no twin to drop");
        frame(page).twin = null;
    }

    @Override
    public DiffSize saveDiff(PageId page, long interval, boolean keepTwin) {
        SimFrame frame = frame(page);
        check(
                keepTwin || frame.access != PageAccess.READ_WRITE,
                page,
                "a diff of a page being stored to");
        check(
                !keepTwin || frame.access == PageAccess.READ_WRITE,
                page,
                "a twin kept of a page that is not stored to");
        boolean isAwaited = frame.wasProtected && awaited.isAwaited(page, true);
        frame.wasProtected = false;
        if (isMapped(page)) {
            node.updates().orElseThrow().flush(page);
            return new DiffSize(0, 0, keepsTwin(page, keepTwin, isAwaited));
        }
        Diff diff = Diff.of(frame.memory, existingTwin(page), granule(page));
        node.pageWork().compared((int) frame.memory.byteSize(), diff.granules() * granule(page));
        byte[] bytes = diff.bytes();
        diffs.save(page, interval, bytes);
        return new DiffSize(diff.granules(), bytes.length, keepsTwin(page, keepTwin, isAwaited));
    }

    /** Renews the twin of a page that stays writable after its comparison. */
    private boolean keepsTwin(PageId page, boolean keepTwin, boolean isAwaited) {
        SimFrame frame = frame(page);
        boolean stays =
                !keepTwin && (isAwaited || frame.isOfTrap && node.simulation().delays().isInTrap());
        if (keepTwin || stays) {
            existingTwin(page).copyFrom(frame.memory);
        }
        if (stays) {
            change(page, PageAccess.READ_WRITE);
            node.locks().watchReleases();
        }
        return keepTwin || stays;
    }

    /** Whether stores to the page leave as automatic updates. */
    private boolean isMapped(PageId page) {
        return node.updates().filter(updates -> updates.isMapped(page)).isPresent();
    }

    /** True while a diff of a page is kept to be sent. */
    public boolean isDiffSaved(PageId page) {
        return diffs.isSaved(page);
    }

    @Override
    public void dropDiff(PageId page, long interval) {
        diffs.drop(page, interval);
    }

    @Override
    public void keepDiff(PageId page, long keep, Payload diff) {
        byte[] bytes = bytes(diff).toArray(ValueLayout.JAVA_BYTE);
        diffs.keep(page, keep, bytes);
    }

    @Override
    public void dropKept(PageId page, long keep) {
        diffs.dropKept(page, keep);
    }

    @Override
    public int applyDiff(PageId page, Payload diff) {
        SimFrame frame = frame(page);
        check(frame.present, page, "a diff for a page without content");
        MemorySegment bytes = bytes(diff);
        node.pageWork().applied(address(page), frame.memory.byteSize(), bytes, granule(page));
        int overlap = frame.apply(bytes, granule(page));
        if (diff instanceof Payload.KeptDiff(PageId keptPage, long keep)) {
            dropKept(keptPage, keep);
        }
        return overlap;
    }

    @Override
    public void resume(MappingId mapping, PageId page, PageAccess access) {
        check(mapping, page);
        SimFrame frame = frame(page);
        if (frame.poisoned) {
            return; // poisoning has woken all threads
        }
        fill(page, frame);
        if (isOneOfSeveral(mapping)) {
            give(page, mapping, access);
            node.wakeUp(page, mapping);
            return;
        }
        if (access != PageAccess.READ || !frame.isTrapped()) { // the trap that entered gave more
            give(page, access);
        }
        if (frame.withdrawals == 0) {
            node.wakeUp(page);
        } else {
            frame.wakesAfterwards = true;
        }
    }

    @Override
    public OptionalLong localStore(PageId page, int offset, int granuleBytes) {
        return frame(page).localStore(offset, granuleBytes);
    }

    @Override
    public MemorySegment bytes(Payload payload) {
        return switch (payload) {
            case Payload.PageImage(PageId page) -> {
                check(frame(page).access != PageAccess.READ_WRITE, page, "sent while stored to");
                yield image(page);
            }
            case Payload.LiveImage(PageId page) -> image(page);
            case Payload.TwinImage(PageId page) -> unlessZero(existingTwin(page));
            case Payload.PoolFrame(PageId page) -> node.pool().copy(node.id(), page);
            case Payload.ServedFrame(PageId page, var to) -> unlessZero(node.pool().copy(to, page));
            case Payload.SavedDiff(PageId page, long interval) -> diffs.saved(page, interval);
            case Payload.KeptDiff(PageId page, long keep) -> diffs.kept(page, keep);
            case Payload.LastingDiff(PageId page, long keep) -> diffs.kept(page, keep);
            case Payload.Received(MemorySegment bytes, _) -> bytes;
            case Payload.None() -> NOTHING;
        };
    }

    private MemorySegment image(PageId page) {
        return frame(page).present ? unlessZero(frame(page).memory) : NOTHING;
    }

    private MemorySegment existingTwin(PageId page) {
        SimFrame frame = frame(page);
        check(frame.twin != null, page, "there is no twin");
        return frame.existingTwin();
    }

    /** Returns no bytes for a page of zeros, which is never sent as bytes. */
    private static MemorySegment unlessZero(MemorySegment page) {
        return Diff.isZero(page) ? NOTHING : page;
    }

    private int granule(PageId page) {
        return regions.get(page.region()).spec().granuleBytes();
    }

    SimFrame frame(PageId page) {
        return regions.get(page.region()).frame(page.index(), node);
    }

    private void check(MappingId mapping, PageId page) {
        int processes = node.simulation().cluster().processes();
        boolean isKnown =
                processes == 1 ? mapping.equals(MappingId.FIRST) : mapping.index() < processes;
        check(isKnown, page, "no application process " + mapping);
    }

    private void check(boolean condition, PageId page, String otherwise) {
        if (!condition) {
            throw new Violation(CHECKER, "node " + node.id() + " page " + page + ": " + otherwise);
        }
    }
}
