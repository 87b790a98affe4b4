package io.muninn.wire;

import io.muninn.model.PageId;
import java.lang.foreign.MemorySegment;

/**
 * A name for page-sized bytes. The kernel names bytes and never touches them; the performer turns
 * the name into bytes at the moment the effect runs, so the order of effects decides which bytes.
 */
public sealed interface Payload {
    /** The page's present content. Zero pages travel as a flag. */
    record PageImage(PageId page) implements Payload {}

    /** The page's twin. Zero pages travel as a flag. */
    record TwinImage(PageId page) implements Payload {}

    /** What {@code SaveDiff} saved for that page and interval. */
    record SavedDiff(PageId page, long interval) implements Payload {}

    /** What {@code KeepDiff} kept of an update that met an outstanding fetch. */
    record KeptDiff(PageId page, long keep) implements Payload {}

    /**
     * Bytes that arrived; valid until the effects of their own step have run.
     *
     * @param bytes empty when {@code zero}
     * @param zero the bytes are a page of zeros, which never travels
     */
    record Received(MemorySegment bytes, boolean zero) implements Payload {}

    /** No bytes: the receiver has them already. */
    record None() implements Payload {}

    Payload NONE = new None();
}
