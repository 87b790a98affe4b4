package io.muninn.coherence.lazy;

import io.muninn.coherence.lazy.LazyMessages.DiffName;
import io.muninn.coherence.lazy.LazyMessages.DiffReply;
import io.muninn.coherence.lazy.LazyMessages.DiffRequest;
import io.muninn.coherence.lazy.LazyMessages.ImageReply;
import io.muninn.coherence.lazy.LazyMessages.ImageRequest;
import io.muninn.coherence.lazy.LazyMessages.NamedDiff;
import io.muninn.coherence.shared.WriteNotices.Notice;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageMap;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the copies of this node lack, and the requests for it. A node that stored to a page in an
 * interval had applied all that happened before, so it can answer for those stores, too: only
 * writers are asked whose newest interval no other's covers, in parallel. What one of them does not
 * have, since an image brought it there, its writer is asked for.
 */
final class Fetches {
    /** An order in which they may have happened. */
    private static final Comparator<Notice> HAPPENED_BEFORE =
            Comparator.comparingLong((Notice notice) -> notice.timestamp().count())
                    .thenComparing(Notice::writer);

    private static final class Fetch {
        final Map<NodeId, Set<DiffName>> asked = new TreeMap<>(); // unanswered, by node
        final Set<DiffName> arrived = new TreeSet<>();
        final Set<NodeId> lacking = new TreeSet<>(); // asked for their own diffs only
        boolean awaitsImage;

        boolean isAnswered() {
            return asked.isEmpty() && !awaitsImage;
        }
    }

    private final HeldDiffs held;
    private final PageMap<List<Notice>> missing = new PageMap<>();
    private final PageMap<Fetch> fetches = new PageMap<>();

    Fetches(HeldDiffs held) {
        this.held = held;
    }

    private static DiffName name(Notice notice) {
        return new DiffName(notice.writer(), notice.interval());
    }

    /** A copy must contain these stores, too. */
    void needMore(DirectoryEntry<?> entry, List<Notice> notices) {
        List<Notice> of = missing.get(entry.page());
        if (of == null) {
            of = new ArrayList<>();
            missing.put(entry.page(), of);
        }
        for (Notice notice : notices) {
            if (!contains(entry.applied(), notice)) {
                of.add(notice);
            }
        }
    }

    static boolean contains(AppliedDiffs applied, Notice notice) {
        return notice.interval() <= applied.interval(notice.writer());
    }

    /** The diffs that a copy lacks, for a person. */
    List<DiffName> missing(PageId page) {
        return notices(page).stream().map(Fetches::name).toList();
    }

    private List<Notice> notices(PageId page) {
        List<Notice> of = missing.get(page);
        return of == null ? List.of() : of;
    }

    boolean isCurrent(PageId page) {
        return notices(page).isEmpty();
    }

    /** Whether a copy lacks something that a collection covers. */
    boolean lacks(PageId page, VectorTimestamp upTo) {
        return notices(page).stream().anyMatch(each -> isCovered(each, upTo));
    }

    private static boolean isCovered(Notice notice, VectorTimestamp upTo) {
        return upTo.covers(notice.writer(), notice.interval());
    }

    /** There is no copy: an image will contain what a collection covers. */
    void forget(PageId page, VectorTimestamp upTo) {
        List<Notice> of = missing.get(page);
        if (of != null) {
            of.removeIf(each -> isCovered(each, upTo));
        }
    }

    /** Asks for what a copy lacks. */
    void begin(DirectoryEntry<?> entry, Effects out) {
        Fetch fetch = new Fetch();
        fetches.put(entry.page(), fetch);
        request(entry.page(), fetch, out);
    }

    /** Asks for a first copy, and for what it may lack. */
    void beginWithImage(DirectoryEntry<?> entry, NodeId keeper, ImageRequest image, Effects out) {
        Fetch fetch = new Fetch();
        fetches.put(entry.page(), fetch);
        fetch.awaitsImage = true;
        out.send(keeper, image);
        request(entry.page(), fetch, out);
    }

    /** Whether a first copy is under way. */
    boolean awaitsImage(PageId page) {
        Fetch fetch = fetches.get(page);
        return fetch != null && fetch.awaitsImage;
    }

    private void request(PageId page, Fetch fetch, Effects out) {
        Map<NodeId, Notice> newest = new TreeMap<>();
        List<Notice> wanted = new ArrayList<>();
        for (Notice notice : notices(page)) {
            if (!fetch.arrived.contains(name(notice))) {
                wanted.add(notice);
                newest.merge(
                        notice.writer(),
                        notice,
                        (one, other) -> one.interval() > other.interval() ? one : other);
            }
        }
        List<Notice> latestFirst = new ArrayList<>(newest.values());
        latestFirst.sort(HAPPENED_BEFORE.reversed());
        List<Notice> chosen = new ArrayList<>();
        for (Notice each : latestFirst) {
            if (chosen.stream().noneMatch(other -> answersFor(other, each, fetch))) {
                chosen.add(each);
            }
        }
        Map<NodeId, List<DiffName>> requests = new TreeMap<>();
        for (Notice each : wanted) {
            Notice asked =
                    chosen.stream()
                            .filter(other -> answersFor(other, each, fetch))
                            .findFirst()
                            .orElseThrow();
            requests.computeIfAbsent(asked.writer(), _ -> new ArrayList<>()).add(name(each));
        }
        requests.forEach((writer, diffs) -> {
            fetch.asked.put(writer, new TreeSet<>(diffs));
            out.send(writer, new DiffRequest(page, diffs));
        });
    }

    /** Whether the writer of an interval has the diff of another, too. */
    private static boolean answersFor(Notice asked, Notice other, Fetch fetch) {
        return asked.writer().equals(other.writer())
                || !fetch.lacking.contains(asked.writer())
                        && asked.timestamp().covers(other.writer(), other.interval());
    }

    /** Installs a first copy. */
    void onImageReply(DirectoryEntry<?> entry, ImageReply reply, Effects out) {
        Fetch fetch = fetch(entry, reply);
        ProtocolViolation.check(fetch.awaitsImage, entry, reply);
        fetch.awaitsImage = false;
        out.count(NodeCounter.PAGES_FETCHED);
        out.installPage(reply.page(), reply.image(), PageAccess.NONE);
        entry.applied(reply.applied());
    }

    /** Keeps what has arrived. */
    void onDiffReply(NodeId from, DirectoryEntry<?> entry, DiffReply reply, Effects out) {
        Fetch fetch = fetch(entry, reply);
        Set<DiffName> asked = fetch.asked.remove(from);
        ProtocolViolation.check(asked != null && !reply.diffs().isEmpty(), entry, reply);
        for (NamedDiff each : reply.diffs()) {
            ProtocolViolation.check(asked.remove(each.name()), entry, reply);
            held.keep(entry.page(), each, out);
            fetch.arrived.add(each.name());
        }
        if (!asked.isEmpty()) {
            fetch.lacking.add(from);
        }
    }

    private Fetch fetch(DirectoryEntry<?> entry, LazyMessages.Msg reply) {
        Fetch fetch = fetches.get(entry.page());
        if (fetch == null) {
            throw new ProtocolViolation(entry, reply);
        }
        return fetch;
    }

    /** Whether everything that a copy lacks has arrived. */
    boolean isHere(PageId page) {
        Fetch fetch = fetches.get(page);
        return fetch != null
                && fetch.isAnswered()
                && notices(page).stream().allMatch(each -> fetch.arrived.contains(name(each)));
    }

    /**
     * Applies what has arrived; if something has become missing meanwhile, asks for it.
     *
     * @return false if requests are unanswered
     */
    boolean isComplete(DirectoryEntry<?> entry, Effects out) {
        Fetch fetch = fetches.get(entry.page());
        if (fetch == null || !fetch.isAnswered()) {
            return false;
        }
        request(entry.page(), fetch, out);
        if (!fetch.isAnswered()) {
            return false;
        }
        fetches.remove(entry.page());
        apply(entry, out);
        return true;
    }

    private void apply(DirectoryEntry<?> entry, Effects out) {
        PageId page = entry.page();
        List<Notice> applied = missing.remove(page);
        if (applied == null) {
            return;
        }
        applied.sort(HAPPENED_BEFORE);
        for (Notice each : applied) {
            Payload diff = held.diff(page, name(each));
            if (!contains(entry.applied(), each) && !(diff instanceof Payload.None)) {
                out.applyDiff(page, diff);
            }
        }
        for (Notice each : applied) {
            entry.applied(entry.applied().with(each.writer(), each.interval()));
        }
    }
}
