package io.muninn.sim.check;

import io.muninn.coherence.invalidate.Conventional;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageReply;
import io.muninn.directory.Copyset;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import java.util.List;

/**
 * Copysets cover the holders.
 *
 * <p><b>Conventional and pipelined.</b> The ownership of a page is in one place: at a node in an
 * owner's state, at one that awaits acknowledgements, or in a grant under way. Whoever has it knows
 * of every other node with content, with access, or with an image under way to it that is not dead
 * on arrival: an owner by its copyset, a node that awaits acknowledgements by the invalidations not
 * acknowledged, a grant by the copyset that it carries.
 *
 * <p><b>Write-shared.</b> From any holder, asking every node that it knows to hold a copy for what
 * that node knows, and so on, every other holder is reached: that is what copyset closure does. A
 * node that gave its copy up answers, too. A holder is a node with content, or with a reply under
 * way to it, whose copyset is known to the receiver when it comes. There is a holder at any time,
 * and a page that is Exclusive or Idle on a node has no other.
 *
 * <p>Nothing is promised once a node is lost.
 */
final class Copysets extends PageChecker {
    static final String NAME = "copysets";

    /** What messages say of one page of an owner; by node. */
    private static final class Marks {
        final long[] awaited; // nodes whose acknowledgement it awaits, as a copyset's bits
        final long[] deadBelow; // generation below which an image is dead on arrival

        Marks(int nodes) {
            awaited = new long[nodes];
            deadBelow = new long[nodes];
        }
    }

    private final PerPage<Marks> marks = new PerPage<>(_ -> new Marks(overview().nodes()));
    private DatedCopyset[] known = {}; // by each node

    Copysets(ClusterView overview) {
        super(overview);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        if (event instanceof Event.MessageArrived(var from, Conventional.Msg message, long _)) {
            Marks of = marks.of(message.page());
            int at = node.id().index();
            if (message instanceof Conventional.InvalidateAck) {
                of.awaited[at] &= ~bit(from.index());
            } else if (message instanceof Conventional.Invalidate(PageId page, long generation)
                    && node.snapshot(page).state().equals("AwaitCopy")) {
                of.deadBelow[at] = Math.max(of.deadBelow[at], generation);
            }
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        int at = node.id().index();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send(NodeId to, Conventional.Invalidate invalidate)) {
                marks.of(invalidate.page()).awaited[at] |= bit(to.index());
            } else if (effect instanceof Effect.InstallPage(PageId page, _, _)) {
                marks.of(page).deadBelow[at] = 0; // whatever it waited for has come
            }
        }
        super.afterStep(node, event, effects);
    }

    @Override
    void check(PageId page) {
        if (!overview().isWhole()) {
            return;
        }
        switch (overview().protocol(page)) {
            case CONVENTIONAL, PIPELINED -> checkOwner(page);
            case WRITE_SHARED -> checkClosure(page);
            case READ_ONLY, MIGRATORY -> {}
        }
    }

    private void checkOwner(PageId page) {
        Marks of = marks.of(page);
        int owner = -1;
        long covered = 0;
        for (int i = 0; i < overview().nodes(); i++) {
            switch (overview().state(i, page)) {
                case "Shared owner", "Exclusive" -> {
                    checkAlone(page, owner, i);
                    owner = i;
                    covered = overview().snapshot(i, page).copyset().bits() | bit(i);
                }
                case "AwaitAcks", "Invalidating" -> {
                    checkAlone(page, owner, i);
                    owner = i;
                    covered = of.awaited[i] | bit(i);
                }
                default -> {}
            }
        }
        for (ClusterView.Sent sent : overview().underway(page)) {
            if (sent.message() instanceof Conventional.WriteGrant grant) {
                checkAlone(page, owner, sent.to());
                owner = sent.to();
                covered = grant.copyset().bits() | bit(owner);
            }
        }
        if (owner < 0) {
            throw violation(overview().describe(0, page) + " has no owner on any node");
        }
        long missing = holders(page, of) & ~covered;
        if (missing != 0) {
            throw violation(
                    overview().describe(owner, page)
                            + ", the owner, does not know of the copies on nodes "
                            + new Copyset(missing)
                            + ", only of "
                            + new Copyset(covered));
        }
    }

    private void checkAlone(PageId page, int owner, int other) {
        if (owner >= 0) {
            throw violation(
                    overview().describe(owner, page)
                            + " is owned, and also by "
                            + overview().describe(other, page));
        }
    }

    private long holders(PageId page, Marks of) {
        long holders = present(page);
        for (ClusterView.Sent sent : overview().underway(page)) {
            if (sent.message() instanceof Conventional.ReadReply reply
                    && reply.generation() >= of.deadBelow[sent.to()]) {
                holders |= bit(sent.to());
            }
        }
        return holders;
    }

    private long present(PageId page) {
        long present = 0;
        for (int i = 0; i < overview().nodes(); i++) {
            if (overview().node(i).pages().isPresent(page)) {
                present |= bit(i);
            }
        }
        return present;
    }

    private void checkClosure(PageId page) {
        long holders = present(page);
        int nodes = overview().nodes();
        known = known.length == nodes ? known : new DatedCopyset[nodes];
        for (int i = 0; i < nodes; i++) {
            known[i] = overview().snapshot(i, page).copies();
        }
        int sole = -1;
        for (int i = 0; i < nodes; i++) {
            String state = overview().state(i, page);
            if (state.equals("Exclusive") || state.equals("Idle")) {
                holders |= bit(i); // its content may be missing, as zeros
                sole = i;
            }
        }
        for (ClusterView.Sent sent : overview().underway(page)) {
            if (sent.message() instanceof PageReply reply) {
                holders |= bit(sent.to());
                known[sent.to()] = known[sent.to()].merge(reply.of(page).copies());
            }
        }
        if (sole >= 0 && holders != bit(sole)) {
            throw violation(
                    overview().describe(sole, page)
                            + " is held by no other node, but nodes "
                            + new Copyset(holders)
                            + " hold it");
        }
        if (holders == 0) {
            throw violation(overview().describe(0, page) + " is on no node any more");
        }
        for (int i = 0; i < nodes; i++) {
            if ((holders & bit(i)) != 0) {
                checkReach(i, page, holders);
            }
        }
    }

    private void checkReach(int node, PageId page, long holders) {
        long reached = reach(node, holders);
        if ((holders & ~reached) != 0) {
            throw violation(
                    overview().describe(node, page)
                            + ": its updates reach "
                            + new Copyset(reached)
                            + " by copyset closure, not the holders "
                            + new Copyset(holders & ~reached));
        }
    }

    /**
     * Asks whoever is known to hold a copy, and has not been asked, until there is nobody, or all
     * holders have been asked.
     */
    private long reach(int node, long holders) {
        DatedCopyset learnt = known[node];
        long asked = bit(node);
        long unasked = learnt.nodes().bits() & ~asked;
        while (unasked != 0 && (holders & ~asked) != 0) {
            int next = Long.numberOfTrailingZeros(unasked);
            asked |= bit(next);
            learnt = learnt.merge(known[next]);
            unasked = learnt.nodes().bits() & ~asked;
        }
        return asked;
    }

    private static long bit(int node) {
        return 1L << node;
    }
}
