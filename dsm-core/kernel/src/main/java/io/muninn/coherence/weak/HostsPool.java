package io.muninn.coherence.weak;

import io.muninn.coherence.weak.OutgoingStores.Kind;
import io.muninn.coherence.weak.WeakMessages.CheckReply;
import io.muninn.coherence.weak.WeakMessages.CheckRequest;
import io.muninn.coherence.weak.WeakMessages.EnterReply;
import io.muninn.coherence.weak.WeakMessages.EnterRequest;
import io.muninn.coherence.weak.WeakMessages.Leave;
import io.muninn.coherence.weak.WeakMessages.ListReply;
import io.muninn.coherence.weak.WeakMessages.ListRequest;
import io.muninn.coherence.weak.WeakMessages.PublishAck;
import io.muninn.coherence.weak.WeakMessages.UnsafePages;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.PoolResult;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.WeakRules;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.List;

/**
 * The pools of all hosts, as one node uses them. A page is in the pool of the host of its home.
 * This node uses the pool of its own host at once, and that of another host by messages to the
 * first node there, which performs each operation for it when the message arrives ({@link
 * PoolServer}). This node has a weak list in each pool; an acquire takes all of them.
 *
 * <p><b>Order.</b> All messages between this node and another host are on one connection, and are
 * answered in order. So a copy that was requested before a list arrives before that list, and a
 * copy that is requested later is newer than its notices: no acquire overtakes a copy. What a
 * publication has made unsafe is known before any later list of that host arrives.
 */
final class HostsPool implements Pool {
    private final Context context;
    private final WeakPages pages;
    private final Results results;
    private final SharedPool near;
    private final WeakRules rules;
    private final MessageLimits limits;
    private final OutgoingStores outgoing;
    private final List<PageId> listed = new ArrayList<>(); // in the lists so far
    private final List<PageId> stale = new ArrayList<>(); // by the checks so far
    private int lists; // outstanding
    private int checks; // outstanding
    private int fills; // unacknowledged

    HostsPool(Context context, WeakPages pages, Results results) {
        this.context = context;
        this.pages = pages;
        this.results = results;
        this.near = new SharedPool(pages, new Near());
        this.rules = context.updates().weak();
        this.limits = context.updates().limits();
        this.outgoing = new OutgoingStores(limits);
    }

    /** Passes results of this host's pool on; lists and checks wait for those of other hosts. */
    private final class Near implements Results {
        @Override
        public void entered(
                PageId page, boolean isChecked, boolean isListed, Payload image, Effects out) {
            results.entered(page, isChecked, isListed, image, out);
        }

        @Override
        public void mapped(List<PageId> entered, Effects out) {
            results.mapped(entered, out);
        }

        @Override
        public void published(long number, Effects out) {
            results.published(number, out);
        }

        @Override
        public void listTaken(List<PageId> weak, Effects out) {
            onList(weak, true, out);
        }

        @Override
        public void checked(List<PageId> old, Effects out) {
            onCheck(old, out);
        }
    }

    /** The node that serves a page of another host. */
    private NodeId server(PageId page) {
        return context.hosts().of(context.homeOf(page));
    }

    private List<PageId> near(List<PageId> all) {
        return all.stream().filter(pages::isNear).toList();
    }

    private List<PageId> far(List<PageId> all) {
        return all.stream().filter(page -> !pages.isNear(page)).toList();
    }

    // operations

    /** Permits threads to enter absent pages of this host by themselves. */
    void offer(PageId first, int count, Effects out) {
        near.offer(first, count, out);
    }

    /** Makes a copy of this node the first content of its frame. */
    void fill(PageId page, Effects out) {
        if (pages.isNear(page)) {
            near.fill(page, out);
            results.filled(page, out);
        } else {
            fills++;
            add(page, 0, context.region(page).pageBytes(), Kind.FIRST);
            outgoing.sendAll(out);
        }
    }

    /** True until all frames of other hosts have their first content. */
    boolean isFilling() {
        return fills > 0;
    }

    @Override
    public void enter(PageId page, Effects out) {
        if (pages.isNear(page)) {
            near.enter(page, out);
        } else {
            outgoing.send(server(page), new EnterRequest(page), out);
        }
    }

    @Override
    public void publish(List<Stores> stores, Effects out) {
        near.publish(stores.stream().filter(each -> pages.isNear(each.page())).toList(), out);
        Kind kind = rules.isImmediate() ? Kind.ANNOUNCED : Kind.PUBLISHED;
        stores.stream()
                .filter(each -> !pages.isNear(each.page()))
                .forEach(each -> add(each.page(), each.number(), each.bytes(), kind));
        outgoing.sendAll(out);
    }

    @Override
    public void announce(List<PageId> announced, long number, Effects out) {
        List<PageId> here = near(announced);
        if (!here.isEmpty()) {
            near.announce(here, number, out);
        }
        far(announced).forEach(page -> add(page, number, 0, Kind.PUBLISHED));
        outgoing.sendAll(out);
    }

    private void add(PageId page, long number, int bytes, Kind kind) {
        outgoing.add(server(page), new OutgoingStores.Part(page, number, bytes, kind));
    }

    @Override
    public void takeMapped(Effects out) {
        near.takeMapped(out); // frames of this node are here
    }

    @Override
    public void takeList(Effects out) {
        List<NodeId> others = context.hosts().othersOf(context.self());
        lists = 1 + others.size();
        near.takeList(out);
        others.forEach(other -> out.send(other, new ListRequest(0)));
    }

    @Override
    public void check(List<PageId> checked, Effects out) {
        List<PageId> here = near(checked);
        if (!here.isEmpty()) {
            checks++;
            near.check(here, out);
        }
        HomesPool.forEach(
                far(checked),
                this::server,
                limits,
                (server, some) -> {
                    checks++;
                    outgoing.send(server, new CheckRequest(some), out);
                });
    }

    @Override
    public void leave(List<PageId> left, Effects out) {
        List<PageId> here = near(left);
        if (!here.isEmpty()) {
            near.leave(here, out);
        }
        HomesPool.forEach(
                far(left),
                this::server,
                limits,
                (server, some) -> outgoing.send(server, new Leave(some), out));
    }

    // results

    void onDone(PoolResult result, Effects out) {
        near.onDone(result, out);
    }

    void onEnterReply(EnterReply reply, Effects out) {
        results.entered(reply.page(), reply.unsafe(), reply.listed(), reply.image(), out);
    }

    void onPublishAck(NodeId from, PublishAck ack, Effects out) {
        for (OutgoingStores.Part part : outgoing.acknowledged(from, ack)) {
            if (part.kind() == Kind.FIRST) {
                fills--;
                results.filled(part.page(), out);
            } else {
                results.published(part.number(), out);
            }
        }
        outgoing.goOn(from, out);
    }

    void onUnsafe(UnsafePages notices) {
        notices.pages().forEach(near::checkIfMapped);
    }

    void onListReply(ListReply reply, Effects out) {
        onList(reply.pages(), reply.isComplete(), out);
    }

    private void onList(List<PageId> weak, boolean isLast, Effects out) {
        checkAsked(lists, "list");
        listed.addAll(weak);
        lists -= isLast ? 1 : 0;
        if (lists == 0) {
            List<PageId> all = List.copyOf(listed);
            listed.clear();
            results.listTaken(all, out);
        }
    }

    void onCheckReply(CheckReply reply, Effects out) {
        onCheck(reply.pages(), out);
    }

    private void onCheck(List<PageId> old, Effects out) {
        checkAsked(checks, "check");
        stale.addAll(old);
        checks--;
        if (checks == 0) {
            List<PageId> all = List.copyOf(stale);
            stale.clear();
            results.checked(all, out);
        }
    }

    private static void checkAsked(int outstanding, String what) {
        if (outstanding == 0) {
            throw new ProtocolViolation("the result of a " + what + " that no acquire waits for");
        }
    }
}
