package io.muninn.agent.memory;

import io.muninn.model.PageId;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Neighbouring pages of a region. */
record PageSpan(PageId first, int count) {
    /** An operation on a run of pages. */
    interface RunAction {
        void on(PageSpan run, boolean isOfKind);
    }

    boolean contains(PageId page) {
        return page.region() == first.region()
                && page.index() >= first.index()
                && page.index() < first.index() + count;
    }

    void forEach(Consumer<PageId> action) {
        for (int i = 0; i < count; i++) {
            action.accept(first.plus(i));
        }
    }

    /** Divides the pages into runs of one kind and of the other, in order. */
    void forEachRun(Predicate<PageId> kind, RunAction action) {
        int end = 0;
        for (int begin = 0; begin < count; begin = end) {
            boolean isOfKind = kind.test(first.plus(begin));
            end = begin + 1;
            while (end < count && kind.test(first.plus(end)) == isOfKind) {
                end++;
            }
            action.on(new PageSpan(first.plus(begin), end - begin), isOfKind);
        }
    }
}
