package io.muninn.sim;

import io.muninn.kernel.port.PoolMemory;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.PoolResult;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The pool as one node uses it. Threads of the node may go on before each operation, so that their
 * traps enter pages in the middle of a step.
 */
final class SimPoolMemory implements PoolMemory {
    private final SimNode node;

    SimPoolMemory(SimNode node) {
        this.node = node;
    }

    private SimPool pool() {
        return node.pool();
    }

    @Override
    public void offer(PageId first, int count) {
        for (int i = 0; i < count; i++) {
            offer(first.plus(i));
        }
    }

    private void offer(PageId page) {
        check(!node.pages().isPresent(page), page, "a present page is offered");
        node.pages().frame(page).isOffered = true;
    }

    @Override
    public void fill(PageId page) {
        SimPages pages = node.pages();
        check(pages.access(page) != PageAccess.READ_WRITE, page, "filled while stored to");
        check(pages.isPresent(page), page, "filled without content");
        check(!isHome(page), page, "filled at its home");
        pool().fill(node, page, pages.content(page));
    }

    @Override
    public PoolResult.Entry enter(PageId page) {
        node.goOn();
        SimFrame frame = node.pages().frame(page);
        if (frame.isEntering || frame.present) {
            return PoolResult.Entry.BY_TRAP;
        }
        frame.isOffered = false;
        return pool().enter(node, page) ? PoolResult.Entry.UNSAFE : PoolResult.Entry.SAFE;
    }

    @Override
    public void writeBack(PageId page, MemorySegment diff) {
        pool().writeBack(node, page, diff);
    }

    @Override
    public boolean publish(PageId page) {
        return pool().publish(node, page);
    }

    @Override
    public List<PageId> takeMapped() {
        node.goOn();
        return pool().takeMapped(node);
    }

    @Override
    public List<PageId> takeList() {
        node.goOn();
        return pool().takeList(node);
    }

    @Override
    public boolean check(PageId page) {
        return pool().check(node, page);
    }

    @Override
    public void leave(List<PageId> pages) {
        for (PageId page : pages) {
            boolean isCopy = !isHome(page);
            check(!isCopy || !node.pages().isPresent(page), page, "left, and its copy is there");
            pool().leave(node, page);
            if (isCopy) {
                offer(page);
            }
        }
        node.goOn();
    }

    private boolean isHome(PageId page) {
        return pool().home(page) == node.id().index();
    }

    @Override
    public Served of(NodeId other) {
        return new Other(node.simulation().node(other));
    }

    private final class Other implements Served {
        private final SimNode mapper;

        Other(SimNode mapper) {
            this.mapper = mapper;
        }

        @Override
        public boolean enter(PageId page) {
            node.goOn();
            return pool().enter(mapper, page);
        }

        @Override
        public void fill(PageId page, MemorySegment image) {
            pool().fill(mapper, page, image);
        }

        @Override
        public void writeBack(PageId page, MemorySegment diff) {
            pool().writeBack(mapper, page, diff);
        }

        @Override
        public boolean publish(PageId page) {
            node.goOn();
            return pool().publish(mapper, page);
        }

        @Override
        public List<PageId> takeList() {
            node.goOn();
            return pool().takeList(mapper);
        }

        @Override
        public boolean check(PageId page) {
            node.goOn();
            return pool().check(mapper, page);
        }

        @Override
        public void leave(List<PageId> pages) {
            pages.forEach(page -> pool().leave(mapper, page));
            node.goOn();
        }
    }

    private void check(boolean condition, PageId page, String otherwise) {
        if (!condition) {
            throw new Violation(
                    SimPages.CHECKER, "node " + node.id() + " page " + page + ": " + otherwise);
        }
    }
}
