package io.muninn.sim.check;

import io.muninn.sim.Violation;

/** What must be true of one page on all nodes after every step. */
abstract class PageCheck {
    private final String name;

    PageCheck(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /**
     * @throws Violation if it is not
     */
    abstract void check(PageView page);

    final void require(boolean condition, PageView page, String otherwise) {
        if (!condition) {
            throw new Violation(name, "page " + page.page() + ": " + otherwise + page.describe());
        }
    }
}
