package io.muninn.directory;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;

/**
 * This node's entry of one page. Only the page's protocol changes it.
 *
 * <p>Source: Munin §3.4.
 *
 * @param <S> the protocol's states
 */
public final class DirectoryEntry<S> {
    private final PageId page;
    private S state;
    private NodeId probableOwner;
    private DatedCopyset copies;
    private AppliedDiffs applied = AppliedDiffs.EMPTY;

    DirectoryEntry(PageId page, S state, NodeId probableOwner, Copyset copyset) {
        this.page = page;
        this.state = state;
        this.probableOwner = probableOwner;
        this.copies = copyset.isEmpty() ? DatedCopyset.EMPTY : DatedCopyset.of(copyset);
    }

    public PageId page() {
        return page;
    }

    public S state() {
        return state;
    }

    public void become(S next) {
        state = next;
    }

    /** The node to send requests to; following probable owners always ends at the owner. */
    public NodeId probableOwner() {
        return probableOwner;
    }

    public void probableOwner(NodeId node) {
        probableOwner = node;
    }

    public boolean isOwnedBy(NodeId node) {
        return probableOwner.equals(node);
    }

    public Copyset copyset() {
        return copies.nodes();
    }

    /** Replaces the copyset; for protocols that do not record copies that were given up. */
    public void copyset(Copyset nodes) {
        copies = DatedCopyset.of(nodes);
    }

    /** The copyset, with the number of copies given up. */
    public DatedCopyset copies() {
        return copies;
    }

    public void copies(DatedCopyset known) {
        copies = known;
    }

    /** The diffs in this node's copy, or in its last one. */
    public AppliedDiffs applied() {
        return applied;
    }

    public void applied(AppliedDiffs diffs) {
        applied = diffs;
    }

    /**
     * @param stateName name of the state in the protocol's table
     */
    public PageSnapshot snapshot(String stateName) {
        return new PageSnapshot(page, stateName, probableOwner, copies);
    }

    @Override
    public String toString() {
        return "page="
                + page
                + " state="
                + state
                + " probableOwner="
                + probableOwner
                + " copyset="
                + copies.nodes()
                + (copies.ended().isEmpty() ? "" : " ended=" + copies.ended());
    }
}
