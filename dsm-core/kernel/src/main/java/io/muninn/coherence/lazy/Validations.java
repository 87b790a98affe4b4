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
 * The part of this node in a collection, once it has acted on the notices: a copy that lacks what
 * is collected gets it, if this node keeps the page or the copy has later stores, or is given up.
 * When no fetch of what is collected is under way any more, the node needs none of these diffs.
 *
 * <p>An image that a node asks for after that has to contain what is collected: its keeper answers
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

    /** This node has acted on all notices that a collection covers. */
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

    /** Whether a page that no thread waits for is to be completed. */
    boolean isAwaited(PageId page) {
        return awaited.contains(page);
    }

    /** A copy lacks nothing any more. */
    void validated(PageId page) {
        awaited.remove(page);
    }

    /**
     * Performs the collection if nothing has to be waited for.
     *
     * @return the requests that had to wait for it
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

    /** The pages of which fetches of what is collected are under way. */
    List<PageId> awaited() {
        return List.copyOf(awaited);
    }

    /**
     * Whether a request has to wait, for a collection that its sender has performed and this node
     * has not.
     */
    boolean defers(ImageRequest request) {
        boolean mustWait = request.collection() > keepers.performed();
        if (mustWait) {
            deferred.add(request);
        }
        return mustWait;
    }
}
