package io.muninn.directory;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;

/**
 * The state of one page on one node, for checkers and messages.
 *
 * @param state the name of the state in its protocol's state × event table
 */
public record PageSnapshot(PageId page, String state, NodeId probableOwner, DatedCopyset copies) {
    public Copyset copyset() {
        return copies.nodes();
    }
}
