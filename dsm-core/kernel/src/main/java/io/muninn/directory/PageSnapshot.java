package io.muninn.directory;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;

/**
 * One page as one node sees it, for a checker or a person.
 *
 * @param state the name of the state in its protocol's state × event table
 */
public record PageSnapshot(PageId page, String state, NodeId probableOwner, DatedCopyset copies) {
    public Copyset copyset() {
        return copies.nodes();
    }
}
