package io.muninn.agent.memory;

import io.muninn.api.spi.RegionSpec;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.nativefault.FaultEngine;
import io.muninn.spi.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * Withdraws all access to runs of pages and keeps their content. A few pages are withdrawn at once,
 * by the agent. More are dropped by the command thread of each process: one request for a run of
 * any length. Until all have replied, threads may use these pages, the engine refuses to grant
 * access to them, and {@link PageTable#isWithdrawing} is true. Decision 0001 compares the two.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class PageWithdrawals {
    /**
     * Largest accessible part of a run that the agent withdraws at once: the engine copies as much
     * in one step, in 20 to 60 microseconds. For more than about 8 pages a reply usually arrives
     * sooner, but takes milliseconds if the command thread must wait for a processor (decision
     * 0001).
     */
    private static final int AT_ONCE_BYTES_MAX = 16 * RegionSpec.MACHINE_PAGE_BYTES;

    /** A withdrawal and its progress. */
    private static final class Withdrawal {
        final MappingId of;
        final PageId first;
        final int count;
        final List<PageId> refused = new ArrayList<>();
        int drops; // number of drops for which it waits

        Withdrawal(MappingId of, PageId first, int count) {
            this.of = of;
            this.first = first;
            this.count = count;
        }
    }

    /**
     * A request to the command threads to drop pages.
     *
     * @param isOfAll false if only one process loses the pages
     * @param waiting for the replies
     * @param awaited processes that have not replied
     */
    private record Drop(PageSpan span, boolean isOfAll, List<Withdrawal> waiting, BitSet awaited) {}

    private final MappingId mapping;
    private final FaultEngine engine;
    private final PageTable table;
    private final PageClaims claims;
    private final EngineChanges changes;
    private final Consumer<Event.AccessWithdrawn> events;
    private final ArrayDeque<Drop> drops = new ArrayDeque<>(); // in the order of the replies

    /**
     * @param mapping the application process of the engine
     * @param events receives the results
     */
    PageWithdrawals(
            MappingId mapping,
            FaultEngine engine,
            PageTable table,
            PageClaims claims,
            EngineChanges changes,
            Consumer<Event.AccessWithdrawn> events) {
        this.mapping = mapping;
        this.engine = engine;
        this.table = table;
        this.claims = claims;
        this.changes = changes;
        this.events = events;
    }

    /** True if no page is being withdrawn from all processes. */
    boolean isEmpty() {
        for (Drop drop : drops) {
            if (drop.isOfAll()) {
                return false;
            }
        }
        return true;
    }

    /** Withdraws the access of pages, or begins to. */
    void begin(PageId first, int count) {
        Withdrawal withdrawal = new Withdrawal(mapping, first, count);
        int from = 0;
        for (int i = 0; i < count; i++) {
            if (!take(first.plus(i), withdrawal)) {
                withdraw(first.plus(from), i - from, withdrawal);
                from = i + 1;
            }
        }
        withdraw(first.plus(from), count - from, withdrawal);
        reportIfDone(withdrawal);
    }

    /**
     * Withdraws the access of one process to pages, or begins to. The others keep theirs, and so do
     * the twins.
     */
    void begin(MappingId of, PageId first, int count) {
        Withdrawal withdrawal = new Withdrawal(of, first, count);
        int from = 0;
        for (int i = 0; i < count; i++) {
            if (!takeFrom(of, first.plus(i), withdrawal)) {
                drop(of, first.plus(from), i - from, withdrawal);
                from = i + 1;
            }
        }
        drop(of, first.plus(from), count - from, withdrawal);
        reportIfDone(withdrawal);
    }

    /** Returns false if a process has no access to a page, or keeps it for now. */
    private boolean takeFrom(MappingId of, PageId page, Withdrawal withdrawal) {
        if (table.isPoisoned(page)) {
            return false;
        }
        if (!engine.isMapped(of, table.offset(page), table.pageBytes(page))) {
            table.bar(page, of);
            return false;
        }
        if (!claims.takeWithTwin(page)) {
            withdrawal.refused.add(page);
            return false;
        }
        claims.offerLater(page);
        table.bar(page, of);
        return true;
    }

    private void drop(MappingId of, PageId first, int count, Withdrawal withdrawal) {
        if (count == 0) {
            return;
        }
        PageSpan span = new PageSpan(first, count);
        changes.drop(engine.processes().get(of.index()), span.first(), span.count());
        BitSet awaited = new BitSet();
        awaited.set(of.index());
        Drop drop = new Drop(span, false, new ArrayList<>(), awaited);
        drops.add(drop);
        waitFor(drop, withdrawal);
    }

    /** Takes a page for its withdrawal. False if nothing has to be done, now or at all. */
    private boolean take(PageId page, Withdrawal withdrawal) {
        if (table.isWithdrawing(page)) {
            if (table.hasContent(page)) {
                table.put(page, PageAccess.NONE); // replaces any access set since
            }
            waitFor(dropOf(page), withdrawal);
            return false;
        }
        if (table.isPoisoned(page)) {
            return false;
        }
        if (!claims.takeWithTwin(page)) {
            withdrawal.refused.add(page);
            return false;
        }
        return true;
    }

    private Drop dropOf(PageId page) {
        return drops.stream()
                .filter(drop -> drop.isOfAll() && drop.span().contains(page))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("page " + page + " is not dropped"));
    }

    private static void waitFor(Drop drop, Withdrawal withdrawal) {
        if (!drop.waiting().contains(withdrawal)) {
            drop.waiting().add(withdrawal);
            withdrawal.drops++;
        }
    }

    /** Withdraws pages that the agent owns. */
    private void withdraw(PageId first, int count, Withdrawal withdrawal) {
        int begin = 0;
        while (begin < count && !isAccessible(first.plus(begin))) {
            begin++;
        }
        int end = count;
        while (end > begin && !isAccessible(first.plus(end - 1))) {
            end--;
        }
        if (begin == end) {
            return;
        }
        PageSpan span = new PageSpan(first.plus(begin), end - begin);
        if (engine.kind().withdrawsRunsAtOnce()) {
            changes.withdraw(span.first(), span.count());
        } else if (accessibleBytes(span) <= AT_ONCE_BYTES_MAX) {
            span.forEachRun(
                    this::isAccessible,
                    (run, isAccessible) -> {
                        if (isAccessible) {
                            changes.withdraw(run.first(), run.count());
                        }
                    });
        } else {
            changes.drop(span.first(), span.count());
            BitSet awaited = new BitSet();
            awaited.set(0, engine.processes().size());
            Drop drop = new Drop(span, true, new ArrayList<>(), awaited);
            drops.add(drop);
            waitFor(drop, withdrawal);
            span.forEach(page -> table.withdrawing(page, true));
        }
        span.forEach(page -> {
            if (table.hasContent(page)) {
                table.put(page, PageAccess.NONE);
            }
        });
    }

    private boolean isAccessible(PageId page) {
        return table.hasContent(page) && table.access(page) != PageAccess.NONE;
    }

    private long accessibleBytes(PageSpan span) {
        long pages = 0;
        for (int i = 0; i < span.count(); i++) {
            pages += isAccessible(span.first().plus(i)) ? 1 : 0;
        }
        return pages * table.pageBytes(span.first());
    }

    /**
     * Called when the command thread of a process has performed its oldest request.
     *
     * @param settle applies the access set meanwhile, before the results are reported
     */
    void onDropped(MappingId of, Consumer<PageSpan> settle) {
        Drop oldest =
                drops.stream()
                        .filter(drop -> drop.awaited().get(of.index()))
                        .findFirst()
                        .orElseThrow();
        oldest.awaited().clear(of.index());
        if (oldest.awaited().isEmpty()) {
            drops.removeIf(drop -> drop == oldest);
            complete(oldest, settle);
        }
    }

    private void complete(Drop done, Consumer<PageSpan> settle) {
        if (done.isOfAll()) {
            done.span().forEach(page -> table.withdrawing(page, false));
            settle.accept(done.span());
        }
        for (Withdrawal each : done.waiting()) {
            each.drops--;
            reportIfDone(each);
        }
    }

    private void reportIfDone(Withdrawal withdrawal) {
        if (withdrawal.drops == 0) {
            events.accept(
                    new Event.AccessWithdrawn(
                            withdrawal.of, withdrawal.first, withdrawal.count, withdrawal.refused));
        }
    }
}
