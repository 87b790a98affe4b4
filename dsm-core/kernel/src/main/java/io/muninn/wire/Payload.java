package io.muninn.wire;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import java.lang.foreign.MemorySegment;

/**
 * A name for page-sized bytes. The kernel names bytes but never accesses them. The performer
 * resolves the name when the effect runs, so the order of effects determines the content.
 */
public sealed interface Payload {
    /** The page's current content. A page of zeros is sent as a flag. */
    record PageImage(PageId page) implements Payload {}

    /**
     * The page's current content, to which threads may be storing: each granule has its value
     * before or after a store. A page of zeros is sent as a flag.
     */
    record LiveImage(PageId page) implements Payload {}

    /** The page's twin. A page of zeros is sent as a flag. */
    record TwinImage(PageId page) implements Payload {}

    /** The page's frame in memory that this node addresses. Never sent. */
    record PoolFrame(PageId page) implements Payload {}

    /** The frame of a pool, sent to a node of another host, which is its mapper. */
    record ServedFrame(PageId page, NodeId mapper) implements Payload {}

    /** The diff saved by {@code SaveDiff} for that page and interval. */
    record SavedDiff(PageId page, long interval) implements Payload {}

    /**
     * The diff kept by {@code KeepDiff} from an update that arrived during an outstanding fetch.
     */
    record KeptDiff(PageId page, long keep) implements Payload {}

    /**
     * The diff kept by {@code KeepDiff}, which is not freed when it has been applied, but by {@code
     * DropKept}.
     */
    record LastingDiff(PageId page, long keep) implements Payload {}

    /**
     * Received bytes, valid until the effects of their own step have run.
     *
     * @param bytes empty if {@code zero}
     * @param zero true for a page of zeros, whose bytes are not sent
     */
    record Received(MemorySegment bytes, boolean zero) implements Payload {}

    /** No bytes: the receiver already has them. */
    record None() implements Payload {}

    Payload NONE = new None();

    /** A page of zeros. */
    Payload ZERO_PAGE = new Received(MemorySegment.NULL, true);
}
