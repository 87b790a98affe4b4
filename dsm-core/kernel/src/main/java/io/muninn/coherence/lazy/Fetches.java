package io.muninn.coherence.lazy;

import io.muninn.coherence.lazy.LazyMessages.CopyReply;
import io.muninn.coherence.lazy.LazyMessages.DiffName;
import io.muninn.coherence.lazy.LazyMessages.GivenDiffs;
import io.muninn.coherence.lazy.LazyMessages.Image;
import io.muninn.coherence.lazy.LazyMessages.ImageTerms;
import io.muninn.coherence.lazy.LazyMessages.NamedDiff;
import io.muninn.coherence.lazy.LazyMessages.WantedDiffs;
import io.muninn.coherence.shared.WriteNotices;
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
import org.jspecify.annotations.Nullable;

/**
 * The diffs that the copies of this node lack, and the requests for them. A node that stored to a
 * page in an interval had applied everything that happened before it, so it also has those diffs.
 * Therefore requests are sent, in parallel, only to the writers whose newest interval is covered by
 * no other writer's. One of them at a time may reply with an image of its copy. A diff that the
 * asked node lacks, and that no image replaces, is requested from its writer. A first copy is
 * requested from a node to which diff requests would be sent, if there is one. Pushed diffs are not
 * requested.
 */
final class Fetches {
    /** A total order that extends happened-before. */
    private static final Comparator<Notice> HAPPENED_BEFORE =
            Comparator.comparingLong((Notice notice) -> notice.timestamp().count())
                    .thenComparing(Notice::writer);

    private static final class Fetch {
        final Map<NodeId, Set<DiffName>> asked = new TreeMap<>(); // unanswered requests, by node
        final Set<NodeId> repeated = new TreeSet<>(); // asked twice, and neither reply has arrived
        final Set<DiffName> arrived = new TreeSet<>(); // not yet applied
        boolean hasLacked; // a node lacked some of the requested diffs
        boolean awaitsImage; // for the first copy
        @Nullable NodeId mayCopy; // it may reply with an image

        boolean isAnswered() {
            return asked.isEmpty() && !awaitsImage;
        }
    }

    private final HeldDiffs held;
    private final Keepers keepers;
    private final WriteNotices notices;
    private final Outgoing outgoing;
    private final PushedDiffs pushed;
    private final List<PageId> complete = new ArrayList<>(); // begun in this step without a request
    private final PageMap<List<Notice>> missing = new PageMap<>();
    private final PageMap<Fetch> fetches = new PageMap<>();

    Fetches(
            HeldDiffs held,
            Keepers keepers,
            WriteNotices notices,
            Outgoing outgoing,
            PushedDiffs pushed) {
        this.held = held;
        this.pushed = pushed;
        this.keepers = keepers;
        this.notices = notices;
        this.outgoing = outgoing;
    }

    private static DiffName name(Notice notice) {
        return new DiffName(notice.writer(), notice.interval());
    }

    /** Adds diffs to those that a copy must contain. */
    void needMore(DirectoryEntry<?> entry, List<Notice> notices) {
        List<Notice> of = missingOf(entry.page());
        for (Notice notice : notices) {
            if (!contains(entry.applied(), notice)) {
                of.add(notice);
            }
        }
    }

    private List<Notice> missingOf(PageId page) {
        List<Notice> of = missing.get(page);
        if (of == null) {
            of = new ArrayList<>(1); // there are many such pages, and most lack few diffs
            missing.put(page, of);
        }
        return of;
    }

    static boolean contains(AppliedDiffs applied, Notice notice) {
        return notice.interval() <= applied.interval(notice.writer());
    }

    /** The diffs that a copy lacks, for messages. */
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

    /**
     * True if a copy lacks a diff that a collection covers, or may be replaced by an image that
     * lacks one.
     */
    boolean lacks(PageId page, VectorTimestamp upTo) {
        Fetch fetch = fetches.get(page);
        return fetch != null && fetch.mayCopy != null
                || notices(page).stream().anyMatch(each -> isCovered(each, upTo));
    }

    private static boolean isCovered(Notice notice, VectorTimestamp upTo) {
        return upTo.covers(notice.writer(), notice.interval());
    }

    /**
     * Removes the notices that a collection covers, of a page without a copy: the image will
     * contain them.
     */
    void forget(PageId page, VectorTimestamp upTo) {
        List<Notice> of = missing.get(page);
        if (of != null) {
            of.removeIf(each -> isCovered(each, upTo));
        }
    }

    /** Requests the diffs that a copy lacks. */
    void begin(DirectoryEntry<?> entry) {
        Fetch fetch = new Fetch();
        fetches.put(entry.page(), fetch);
        request(entry, fetch);
        if (fetch.isAnswered()) {
            complete.add(entry.page());
        }
    }

    /** Removes and returns the pages whose fetch began with all diffs present. */
    List<PageId> takeComplete() {
        if (complete.isEmpty()) {
            return List.of();
        }
        List<PageId> all = List.copyOf(complete);
        complete.clear();
        return all;
    }

    /** True if a diff was requested from a node that has not replied. */
    boolean isAsked(PageId page, DiffName name) {
        Fetch fetch = fetches.get(page);
        return fetch != null && fetch.asked.values().stream().anyMatch(of -> of.contains(name));
    }

    /**
     * Requests a first copy, and the diffs that it may lack. A node to which diff requests would be
     * sent has a copy that contains those diffs, so the copy is requested from such a node instead.
     */
    void beginWithImage(DirectoryEntry<?> entry, NodeId keeper) {
        Fetch fetch = new Fetch();
        fetches.put(entry.page(), fetch);
        Map<NodeId, List<DiffName>> requests = requests(entry, fetch);
        NodeId giver = requests.isEmpty() ? keeper : mostAsked(requests);
        requests.remove(giver);
        fetch.awaitsImage = true;
        outgoing.askImage(giver, entry.page());
        requests.forEach((writer, diffs) -> ask(entry.page(), fetch, writer, diffs));
    }

    /** True if a first copy has been requested and has not arrived. */
    boolean awaitsImage(PageId page) {
        Fetch fetch = fetches.get(page);
        return fetch != null && fetch.awaitsImage;
    }

    /**
     * Permits one node at a time to reply with an image: of two images, neither might contain the
     * other.
     */
    private void request(DirectoryEntry<?> entry, Fetch fetch) {
        Map<NodeId, List<DiffName>> requests = requests(entry, fetch);
        fetch.mayCopy = requests.isEmpty() ? null : mostAsked(requests);
        requests.forEach((writer, diffs) -> ask(entry.page(), fetch, writer, diffs));
    }

    private void ask(PageId page, Fetch fetch, NodeId writer, List<DiffName> diffs) {
        fetch.asked.put(writer, new TreeSet<>(diffs));
        send(page, fetch, writer, diffs);
    }

    private void send(PageId page, Fetch fetch, NodeId writer, List<DiffName> diffs) {
        ImageTerms terms =
                writer.equals(fetch.mayCopy)
                        ? new ImageTerms(true, keepers.chosen(), held.base(page))
                        : ImageTerms.NONE;
        outgoing.askDiffs(writer, new WantedDiffs(page, diffs, terms));
    }

    /**
     * Sends the unanswered requests for diffs again. The first reply of each such node is then
     * ignored. Replies arrive in the order of the requests, so the fetch ends with the last of
     * them.
     */
    void repeat(PageId page) {
        Fetch fetch = fetches.get(page);
        if (fetch != null) {
            fetch.asked.forEach((writer, diffs) -> {
                fetch.repeated.add(writer);
                send(page, fetch, writer, List.copyOf(diffs));
            });
        }
    }

    private static NodeId mostAsked(Map<NodeId, List<DiffName>> requests) {
        NodeId most = NodeId.ROOT;
        int diffs = 0;
        for (Map.Entry<NodeId, List<DiffName>> each : requests.entrySet()) {
            if (each.getValue().size() > diffs) {
                most = each.getKey();
                diffs = each.getValue().size();
            }
        }
        return most;
    }

    /** The diffs to request, by node. */
    private Map<NodeId, List<DiffName>> requests(DirectoryEntry<?> entry, Fetch fetch) {
        Map<NodeId, Notice> newest = new TreeMap<>();
        List<Notice> wanted = new ArrayList<>();
        for (Notice notice : notices(entry.page())) {
            if (!isHere(entry, notice, fetch)) {
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
        return requests;
    }

    private boolean isHere(DirectoryEntry<?> entry, Notice notice, Fetch fetch) {
        return fetch.arrived.contains(name(notice))
                || contains(entry.applied(), notice)
                || pushed.has(entry.page(), name(notice));
    }

    /** True if the writer of one interval also has the diff of another. */
    private static boolean answersFor(Notice asked, Notice other, Fetch fetch) {
        return asked.writer().equals(other.writer())
                || !fetch.hasLacked && asked.timestamp().covers(other.writer(), other.interval());
    }

    /** Installs a first copy. */
    void onImage(DirectoryEntry<?> entry, Image reply, Effects out) {
        Fetch fetch = fetch(entry, reply);
        ProtocolViolation.check(fetch.awaitsImage, entry, reply);
        fetch.awaitsImage = false;
        install(entry, reply.applied(), reply.image(), out);
    }

    private void install(
            DirectoryEntry<?> entry, AppliedDiffs contained, Payload image, Effects out) {
        out.count(NodeCounter.PAGES_FETCHED);
        out.installPage(entry.page(), image, PageAccess.NONE);
        entry.applied(contained);
        held.imageInstalled(entry.page(), contained);
    }

    /**
     * Replaces the copy by an image that arrived in place of diffs. Diffs that the copy had and the
     * image lacks are present here, and are applied again together with all others. Nothing in the
     * image happened after one of them: a copy with a diff has everything that happened before it.
     */
    void onCopyReply(NodeId from, DirectoryEntry<?> entry, CopyReply reply, Effects out) {
        PageId page = entry.page();
        Fetch fetch = fetch(entry, reply);
        if (fetch.repeated.remove(from)) {
            return;
        }
        boolean isTaken =
                from.equals(fetch.mayCopy)
                        && fetch.asked.remove(from) != null
                        && reply.applied().covers(held.base(page));
        ProtocolViolation.check(isTaken, entry, reply);
        fetch.mayCopy = null;
        for (DiffName each : held.names(page)) {
            if (each.isIn(entry.applied()) && !each.isIn(reply.applied())) {
                missingOf(page).add(notices.of(each.writer(), each.interval()));
                fetch.arrived.add(each);
            }
        }
        out.discard(page);
        install(entry, reply.applied(), reply.image(), out);
        for (NamedDiff each : reply.diffs()) {
            ProtocolViolation.check(each.name().isIn(reply.applied()), entry, reply);
            held.keep(page, each, out);
        }
    }

    /** Keeps the diffs that have arrived. */
    void onDiffs(NodeId from, DirectoryEntry<?> entry, GivenDiffs reply, Effects out) {
        Fetch fetch = fetch(entry, reply);
        if (fetch.repeated.remove(from)) {
            return;
        }
        Set<DiffName> asked = fetch.asked.remove(from);
        if (asked == null || reply.diffs().isEmpty()) {
            throw new ProtocolViolation(entry, reply);
        }
        for (NamedDiff each : reply.diffs()) {
            ProtocolViolation.check(asked.remove(each.name()), entry, reply);
            held.keep(entry.page(), each, out);
            fetch.arrived.add(each.name());
        }
        fetch.hasLacked |= !asked.isEmpty();
        if (from.equals(fetch.mayCopy)) {
            fetch.mayCopy = null;
        }
    }

    private Fetch fetch(DirectoryEntry<?> entry, Object reply) {
        Fetch fetch = fetches.get(entry.page());
        if (fetch == null) {
            throw new ProtocolViolation(entry, reply);
        }
        return fetch;
    }

    /** True if all diffs that a copy lacks have arrived. */
    boolean isHere(DirectoryEntry<?> entry) {
        Fetch fetch = fetches.get(entry.page());
        return fetch != null
                && fetch.isAnswered()
                && notices(entry.page()).stream().allMatch(each -> isHere(entry, each, fetch));
    }

    /**
     * Applies the diffs that have arrived. If more are missing by now, requests them.
     *
     * @return false if requests are unanswered
     */
    boolean isComplete(DirectoryEntry<?> entry, Effects out) {
        Fetch fetch = fetches.get(entry.page());
        if (fetch == null || !fetch.isAnswered()) {
            return false;
        }
        request(entry, fetch);
        if (!fetch.isAnswered()) {
            return false;
        }
        fetches.remove(entry.page());
        apply(entry, out);
        pushed.contained(entry);
        return true;
    }

    /** True if all diffs that these notices announce, and a current copy lacks, were pushed. */
    boolean isPushed(DirectoryEntry<?> entry, List<Notice> notices) {
        return notices.stream()
                .allMatch(each ->
                        contains(entry.applied(), each) || pushed.has(entry.page(), name(each)));
    }

    /** Gives a current copy what these notices announce, which was pushed. */
    void applyPushed(DirectoryEntry<?> entry, List<Notice> notices, Effects out) {
        needMore(entry, notices);
        apply(entry, out);
        pushed.contained(entry);
    }

    private void apply(DirectoryEntry<?> entry, Effects out) {
        PageId page = entry.page();
        List<Notice> applied = missing.remove(page);
        if (applied == null) {
            return;
        }
        applied.sort(HAPPENED_BEFORE);
        for (Notice each : applied) {
            if (!contains(entry.applied(), each)) {
                apply(page, held.diff(page, name(each)), out);
            }
        }
        for (Notice each : applied) {
            entry.applied(entry.applied().with(each.writer(), each.interval()));
        }
    }

    private static void apply(PageId page, Payload diff, Effects out) {
        if (!(diff instanceof Payload.None)) {
            out.applyDiff(page, diff);
        }
    }
}
