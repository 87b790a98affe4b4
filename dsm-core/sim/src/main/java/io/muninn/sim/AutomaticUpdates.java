package io.muninn.sim;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.diff.Diff;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.machine.SmpMachine;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The automatic updates of one node: stores to home-based pages with another home leave for that
 * home as they happen, by hardware, instead of as diffs at a release. The flush of a release is
 * then empty, and follows the updates on the same link.
 *
 * <p>Each processor combines stores to adjacent bytes of a page in a window. It closes when the
 * next store is not adjacent, when the processor books its quantum, makes a call or faults, and
 * before the page is flushed. The bytes are read when the window closes, because the guard of an
 * access precedes the store. What no window has seen, such as stores to memory that was lent to the
 * program, leaves before the flush. Hardware can map a page only to its final home: until first
 * touch has decided on one that the node knows, a flush of the page contains a diff.
 *
 * <p>A home applies updates in the order of the messages of their sender, before it handles the
 * next one. Those for a page without content wait until it is installed.
 *
 * <p>An image that is merged into a page may lack stores that have left since the last flush. It is
 * completed with them, as it would not have replaced them before they left.
 *
 * <p>The simulated node keeps the twin of a page, which costs no time, as a copy of what its home
 * has been sent.
 *
 * <p>Source: AURC, in Bilas, Iftode, Samanta and Singh, sections 2.2 and 4.
 */
public final class AutomaticUpdates {
    /**
     * Bytes of a page that were stored to.
     *
     * @param offset of the first one
     */
    private record Update(PageId page, int offset, byte[] bytes) {}

    /** Adjacent bytes to which a processor has stored. */
    private static final class Window {
        @Nullable PageId page; // null while the window is closed
        int from;
        int until;
    }

    private final SimNode node;
    private final SmpMachine machine;
    private final Window[] windows; // by processor
    private final Map<NodeId, ArrayDeque<Update>> arrived = new TreeMap<>(); // by sender
    private final Map<PageId, List<Update>> waiting = new TreeMap<>(); // for the page's content
    private final Map<PageId, List<Update>> unflushed = new TreeMap<>(); // have left, oldest first
    private final Set<PageId> stored = new HashSet<>(); // of the root, since it has initialized
    private boolean isInitialized; // of the root
    private @Nullable PageId lastStored;
    private long late;

    AutomaticUpdates(SimNode node, SmpMachine machine) {
        this.node = node;
        this.machine = machine;
        windows = new Window[node.simulation().cluster().threads()];
        for (int i = 0; i < windows.length; i++) {
            windows[i] = new Window();
        }
    }

    /**
     * The number of updates that have left just before a flush, because no window had seen them.
     */
    public long late() {
        return late;
    }

    // ---- the sender ----

    /** The root has initialized. Only later stores make it the home of a page by first touch. */
    void initialized() {
        isInitialized = true;
    }

    /** A thread of the program is about to store to bytes of a page to which it may store. */
    public void storing(SimThread thread, PageId page, int offset, int bytes) {
        if (isInitialized && page != lastStored) {
            lastStored = page;
            stored.add(page);
        }
        if (!hasWindow(thread)) {
            return; // these stores leave before the flush
        }
        Window window = windows[thread.id().thread()];
        int until = offset + bytes;
        if (window.page == page && offset <= window.until && until >= window.from) {
            window.from = Math.min(window.from, offset);
            window.until = Math.max(window.until, until);
            return;
        }
        close(window);
        if (node.pages().hasTwin(page) && isMapped(page)) {
            window.page = page;
            window.from = offset;
            window.until = until;
        }
    }

    /** Whether hardware forwards stores to a page: its home is another node, and final. */
    boolean isMapped(PageId page) {
        RegionSpec region = node.pages().spec(page.region());
        NodeId home = home(page);
        if (region.protocol() != Protocol.HOME_BASED || home.equals(node.id())) {
            return false;
        }
        boolean isByFirstTouch = region.home() == Home.FIRST_TOUCH;
        return !isByFirstTouch || !home.isRoot() || at(home).isHomeByOwnStore(page);
    }

    /** Of the root, which counts as the home of a page until it decides on one. */
    private boolean isHomeByOwnStore(PageId page) {
        return stored.contains(page) && home(page).equals(node.id());
    }

    private AutomaticUpdates at(NodeId other) {
        return node.simulation().node(other).updates().orElseThrow();
    }

    private NodeId home(PageId page) {
        return node.snapshot(page).probableOwner();
    }

    /** A thread books its quantum, makes a call or has faulted. */
    public void close(SimThread thread) {
        if (hasWindow(thread)) {
            close(windows[thread.id().thread()]);
        }
    }

    /** False for threads of shipped objects. */
    private boolean hasWindow(SimThread thread) {
        return thread.id().thread() < windows.length;
    }

    private void close(Window window) {
        PageId page = window.page;
        if (page != null) {
            window.page = null;
            if (node.pages().hasTwin(page)) {
                send(page, window.from, window.until);
            }
        }
    }

    private void send(PageId page, int from, int until) {
        byte[] bytes = node.pages().frame(page).take(from, until - from);
        Update update = new Update(page, from, bytes);
        unflushed.computeIfAbsent(page, _ -> new ArrayList<>()).add(update);
        send(home(page), update);
    }

    /** An image of a page with those stores that have left since its last flush. */
    MemorySegment completed(PageId page, MemorySegment image) {
        List<Update> own = unflushed.getOrDefault(page, List.of());
        if (own.isEmpty()) {
            return image;
        }
        int pageBytes = node.pages().spec(page.region()).pageBytes();
        MemorySegment whole = MemorySegment.ofArray(new byte[pageBytes]);
        whole.asSlice(0, image.byteSize()).copyFrom(image); // zeros may be left out
        own.forEach(update ->
                whole.asSlice(update.offset(), update.bytes().length)
                        .copyFrom(MemorySegment.ofArray(update.bytes())));
        return whole;
    }

    private void send(NodeId to, Update update) {
        AutomaticUpdates receiver = at(to);
        machine.sendUpdate(
                node.id().index(),
                to.index(),
                update.bytes().length,
                () -> receiver.onArrived(node.id(), update));
    }

    /** A mapped page is about to be flushed: all its stores leave that have not left. */
    void flush(PageId page) {
        for (Window window : windows) {
            if (page.equals(window.page)) {
                close(window);
            }
        }
        int granuleBytes = node.pages().spec(page.region()).granuleBytes();
        List<int[]> runs = new ArrayList<>(); // from, until
        Diff rest = Diff.of(node.pages().content(page), node.pages().twin(page), granuleBytes);
        Diff.forEach(
                MemorySegment.ofArray(rest.bytes()),
                (int) node.pages().content(page).byteSize(),
                granuleBytes,
                (index, _) -> addRun(runs, index * granuleBytes, granuleBytes));
        late += runs.size();
        runs.forEach(run -> send(page, run[0], run[1]));
        unflushed.remove(page);
    }

    private void addRun(List<int[]> runs, int from, int bytes) {
        int[] last = runs.isEmpty() ? new int[] {-1, -1} : runs.getLast();
        if (last[1] == from && from + bytes - last[0] <= machine.model().network().packetBytes()) {
            last[1] = from + bytes;
        } else {
            runs.add(new int[] {from, from + bytes});
        }
    }

    // ---- the receiver ----

    private void onArrived(NodeId from, Update update) {
        if (!node.isDead()) {
            long address = node.pages().address(update.page()) + update.offset();
            node.pageWork().written(address, update.bytes().length);
            arrived.computeIfAbsent(from, _ -> new ArrayDeque<>()).add(update);
        }
    }

    /** Whether stores to some bytes of a page are here, and no later message of their sender is. */
    public boolean isArriving(PageId page, int offset, int bytes) {
        return arrived.values().stream()
                .flatMap(ArrayDeque::stream)
                .anyMatch(update ->
                        update.page().equals(page)
                                && update.offset() < offset + bytes
                                && offset < update.offset() + update.bytes().length);
    }

    /** A message of this sender is about to be handled: the updates before it are applied. */
    void apply(NodeId from) {
        ArrayDeque<Update> updates = arrived.getOrDefault(from, new ArrayDeque<>());
        while (!updates.isEmpty()) {
            apply(updates.remove());
        }
    }

    private void apply(Update update) {
        if (node.pages().isPresent(update.page())) {
            node.pages().frame(update.page()).put(update.offset(), update.bytes());
        } else {
            waiting.computeIfAbsent(update.page(), _ -> new ArrayList<>()).add(update);
        }
    }

    /** A page has content now. */
    void installed(PageId page) {
        List<Update> updates = waiting.remove(page);
        if (updates != null) {
            updates.forEach(this::apply);
        }
    }
}
