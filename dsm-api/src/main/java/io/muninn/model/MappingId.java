package io.muninn.model;

/**
 * One application process of a node, with page tables of its own over the node's frames. Every node
 * currently has exactly one, {@link #ONLY}.
 *
 * @param index from 0
 */
public record MappingId(int index) {
    public static final MappingId ONLY = new MappingId(0);
}
