package io.muninn.api.spi;

import io.muninn.api.Advice;

/** Advice of a program to its node about pages: their readers, or the lock that guards them. */
public sealed interface PageAdvice {
    /** Whether the pages are pushed to their readers. */
    record Coherence(Advice advice) implements PageAdvice {}

    /** Removes all readers that the node knows of. */
    record ClearReaders() implements PageAdvice {}

    /** Adds a node as a reader of the pages. */
    record AddReader(int node) implements PageAdvice {}

    /** Removes a node from the readers of the pages. */
    record RemoveReader(int node) implements PageAdvice {}

    /** Threads use the pages inside sections of the lock with this name. */
    record GuardedBy(String lock) implements PageAdvice {}
}
