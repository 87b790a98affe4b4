package io.muninn.verify.check;

import io.muninn.api.Protocol;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageReply;
import io.muninn.directory.Copyset;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.PageId;

/**
 * The copysets of write-shared pages cover the holders: every holder reaches every other by copyset
 * closure, which asks each known holder for the holders that it knows, and so on. A node that has
 * given up its copy also answers. A holder is a node with content, or with a reply in transit to
 * it; the receiver then learns the copyset of the reply. There is always a holder, and a page that
 * is Exclusive or Idle on a node has no other.
 *
 * <p>Nothing is checked once a node is lost.
 */
public final class CopysetClosure extends PageChecker {
    private DatedCopyset[] known = {}; // by node

    public CopysetClosure(ClusterView overview) {
        super(overview);
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
        long holders = overview().present(page);
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
     * Asks known holders that have not been asked, until there are no more, or all holders have
     * been asked.
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
