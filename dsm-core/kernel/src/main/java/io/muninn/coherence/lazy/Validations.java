package io.muninn.coherence.lazy;

import io.muninn.coherence.lazy.Lazy.State;
import io.muninn.coherence.lazy.LazyMessages.ImageRequest;
import io.muninn.coherence.shared.WriteNotices;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.VectorTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The part of this node in a collection, once it has processed the notices. A copy that lacks
 * collected diffs receives them, if this node keeps the page or the copy has later stores;
 * otherwise it is discarded. When no fetch of collected diffs is outstanding, the node needs none
 * of these diffs.
 *
 * <p>An image that a node requests after that must contain the collected diffs: its keeper replies
 * when it has performed the collection itself.
 */
final class Validations {
    private final Context context;
    private final LazyPages pages;
    private final Fetches fetches;
    private final WriteNotices notices;
    private final Keepers keepers;
    private final Set<PageId> awaited = new TreeSet<>();
    private final List<ImageRequest> deferred = new ArrayList<>(); // oldest first
    private long number;
    private VectorTimestamp upTo;
    private boolean isUnderWay;

    Validations(
            Context context,
            LazyPages pages,
            Fetches fetches,
            WriteNotices notices,
            Keepers keepers) {
        this.context = context;
        this.pages = pages;
        this.fetches = fetches;
        this.notices = notices;
        this.keepers = keepers;
        this.upTo = keepers.collected();
    }

    /** Begins the part of this node, which has processed all notices that a collection covers. */
    void begin(long collection, VectorTimestamp covered, Effects out) {
        number = collection;
        upTo = covered;
        keepers.choose(number, upTo, notices.ofAllBetween(keepers.collected(), upTo));
        List<DirectoryEntry<State>> lacking = new ArrayList<>();
        pages.forEach(entry -> {
            if (fetches.lacks(entry.page(), upTo)) {
                lacking.add(entry);
            }
        });
        lacking.forEach(entry -> validate(entry, out));
        isUnderWay = true;
    }

    private void validate(DirectoryEntry<State> entry, Effects out) {
        PageId page = entry.page();
        switch (entry.state()) {
            case State.Absent() -> fetches.forget(page, upTo);
            case State.Zeros() -> {
                fetches.forget(page, upTo);
                entry.become(State.ABSENT);
            }
            case State.Stale() when isNeeded(entry) -> {
                pages.fetchAhead(entry, out);
                awaited.add(page);
            }
            case State.Stale() -> {
                fetches.forget(page, upTo);
                pages.discard(entry, out);
            }
            case State.Ahead(), State.Fetching _ -> awaited.add(page);
            default -> throw new ProtocolViolation(entry, "collection");
        }
    }

    private boolean isNeeded(DirectoryEntry<State> entry) {
        return keepers.of(entry.page()).equals(context.self())
                || entry.applied().last().stream()
                        .anyMatch(each -> !upTo.covers(each.node(), each.interval()));
    }

    /** True if a page for which no thread waits must be completed. */
    boolean isAwaited(PageId page) {
        return awaited.contains(page);
    }

    /** Records that a copy lacks no collected diff. */
    void validated(PageId page) {
        awaited.remove(page);
    }

    /**
     * Performs the collection if no page is outstanding.
     *
     * @return the requests that waited for it
     */
    List<ImageRequest> performIfDone(Effects out) {
        if (!isUnderWay || !awaited.isEmpty()) {
            return List.of();
        }
        isUnderWay = false;
        keepers.perform();
        out.collectPerformed(number);
        List<ImageRequest> due = List.copyOf(deferred);
        deferred.clear();
        return due;
    }

    /** The pages whose fetches of collected diffs are outstanding. */
    List<PageId> awaited() {
        return List.copyOf(awaited);
    }

    /**
     * Defers a request if its sender has performed a collection that this node has not.
     *
     * @return true if it is deferred
     */
    boolean defers(ImageRequest request) {
        boolean mustWait = request.collection() > keepers.performed();
        if (mustWait) {
            deferred.add(request);
        }
        return mustWait;
    }
}
