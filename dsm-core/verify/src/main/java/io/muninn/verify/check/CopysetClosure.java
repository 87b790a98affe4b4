package io.muninn.verify.check;

import io.muninn.api.Protocol;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageReply;
import io.muninn.directory.Copyset;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import java.util.BitSet;
import java.util.Optional;

/**
 * The copysets of write-shared pages cover the holders: every holder reaches every other by copyset
 * closure, which asks each known holder for the holders that it knows, and so on. A node that has
 * given up its copy also answers. A holder is a node with content, or with a reply in transit to
 * it; the receiver then learns the copyset of the reply. There is always a holder, and a page that
 * is Exclusive or Idle on a node has no other.
 *
 * <p>{@link SureCopies} shows it for nearly all pages; only for the others each holder's closure is
 * followed.
 *
 * <p>Nothing is checked once a node is lost.
 */
public final class CopysetClosure extends PageChecker {
    private final PerPage<SureCopies> sure;
    private DatedCopyset[] known = {}; // by node

    public CopysetClosure(ClusterView overview) {
        super(overview);
        sure = new PerPage<>(_ -> new SureCopies(overview.nodes()));
    }

    @Override
    public String name() {
        return Copysets.NAME;
    }

    @Override
    protected void check(PageId page) {
        if (overview().protocol(page) == Protocol.WRITE_SHARED && overview().isWhole()) {
            checkClosure(page);
        }
    }

    private void checkClosure(PageId page) {
        BitSet holders = overview().present(page);
        int nodes = overview().nodes();
        known = known.length == nodes ? known : new DatedCopyset[nodes];
        SureCopies ofPage = sure.of(page);
        for (int i = 0; i < nodes; i++) {
            known[i] = overview().snapshot(i, page).copies();
            ofPage.update(i, known[i]);
        }
        int sole = -1;
        for (int i = 0; i < nodes; i++) {
            String state = overview().state(i, page);
            if (state.equals("Exclusive") || state.equals("Idle")) {
                holders.set(i); // its content may be missing, as zeros
                sole = i;
            }
        }
        for (ClusterView.Sent sent : overview().underway(page)) {
            if (sent.message() instanceof PageReply reply) {
                holders.set(sent.to());
                DatedCopyset copies = reply.of(page).copies();
                known[sent.to()] = known[sent.to()].merge(copies);
                ofPage.updateBesides(sent.to(), copies);
            }
        }
        if (sole >= 0 && (!holders.get(sole) || holders.cardinality() > 1)) {
            throw violation(
                    overview().describe(sole, page)
                            + " is held by no other node, but nodes "
                            + holders
                            + " hold it");
        }
        if (holders.isEmpty()) {
            throw violation(overview().describe(0, page) + " is on no node any more");
        }
        if (!ofPage.connect(holders)) {
            for (int i = holders.nextSetBit(0); i >= 0; i = holders.nextSetBit(i + 1)) {
                checkReach(i, page, holders);
            }
        }
    }

    private void checkReach(int node, PageId page, BitSet holders) {
        BitSet reached = reach(node, holders);
        BitSet unreached = ClusterView.without(holders, reached);
        if (!unreached.isEmpty()) {
            throw violation(
                    overview().describe(node, page)
                            + ": its updates reach "
                            + reached
                            + " by copyset closure, not the holders "
                            + unreached);
        }
    }

    /**
     * Asks known holders that have not been asked, until there are no more, or all holders have
     * been asked.
     */
    private BitSet reach(int node, BitSet holders) {
        DatedCopyset learnt = known[node];
        BitSet asked = new BitSet(known.length);
        BitSet left = (BitSet) holders.clone(); // holders that have not been asked
        Optional<NodeId> next = Optional.of(NodeId.of(node));
        while (next.isPresent()) {
            asked.set(next.get().index());
            left.clear(next.get().index());
            learnt = learnt.merge(known[next.get().index()]);
            next = left.isEmpty() ? Optional.empty() : firstWithout(learnt.nodes(), asked);
        }
        return asked;
    }

    private static Optional<NodeId> firstWithout(Copyset nodes, BitSet asked) {
        for (NodeId node : nodes) {
            if (!asked.get(node.index())) {
                return Optional.of(node);
            }
        }
        return Optional.empty();
    }
}
