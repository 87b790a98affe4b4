package io.muninn.directory;

import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import java.util.List;

/**
 * The state of one page on one node, for checkers and messages.
 *
 * @param state the name of the state in its protocol's state × event table
 * @param stale the processes of the node whose views the content does not satisfy, under a protocol
 *     with views
 * @param leaving those from which an acquire is withdrawing the page
 */
public record PageSnapshot(
        PageId page,
        String state,
        NodeId probableOwner,
        DatedCopyset copies,
        List<MappingId> stale,
        List<MappingId> leaving) {
    /** Under a protocol without views. */
    public PageSnapshot(PageId page, String state, NodeId probableOwner, DatedCopyset copies) {
        this(page, state, probableOwner, copies, List.of(), List.of());
    }

    public Copyset copyset() {
        return copies.nodes();
    }
}
