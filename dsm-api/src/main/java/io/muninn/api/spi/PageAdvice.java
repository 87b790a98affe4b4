package io.muninn.api.spi;

import io.muninn.api.Advice;

/** What a program tells its node of pages: who reads them, or which lock they belong to. */
public sealed interface PageAdvice {
    /** Whether the pages are pushed to them. */
    record Coherence(Advice advice) implements PageAdvice {}

    /** All readers that the node knows of are forgotten. */
    record ClearReaders() implements PageAdvice {}

    /** A node reads the pages. */
    record AddReader(int node) implements PageAdvice {}

    /** A node does not read the pages. */
    record RemoveReader(int node) implements PageAdvice {}

    /** Threads use the pages inside sections of the lock of that name. */
    record GuardedBy(String lock) implements PageAdvice {}
}
