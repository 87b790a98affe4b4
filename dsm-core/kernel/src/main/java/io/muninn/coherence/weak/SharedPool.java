package io.muninn.coherence.weak;

import io.muninn.api.Protocol;
import io.muninn.coherence.weak.Weak.State;
import io.muninn.model.PageId;
import io.muninn.spi.Effects;
import io.muninn.spi.PoolCall;
import io.muninn.spi.PoolResult;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.WeakRules;
import io.muninn.wire.Payload;
import java.util.List;

/**
 * The pool of this node's host, in memory that all its nodes address: this node performs every
 * operation by itself, at once. Its result is stepped before the next event from outside.
 *
 * <p><b>Order.</b> The copy of an entered page is made after the node is in the map, and after
 * every list that was taken before the page was entered. So no acquire overtakes a copy: a
 * publication that the copy lacks puts the page on a list that is taken later.
 */
final class SharedPool implements Pool {
    private static final Protocol USER = Protocol.WEAK;

    private final WeakPages pages;
    private final WeakRules rules;
    private final Results results;

    SharedPool(WeakPages pages, Results results) {
        this.pages = pages;
        this.rules = pages.context.updates().weak();
        this.results = results;
    }

    /** Permits threads to enter pages that are absent by themselves. */
    void offer(PageId first, int count, Effects out) {
        out.usePool(USER, new PoolCall.Offer(first, count));
    }

    /** Makes a copy of this node the first content of its frame. */
    void fill(PageId page, Effects out) {
        out.usePool(USER, new PoolCall.Fill(page));
    }

    @Override
    public void enter(PageId page, Effects out) {
        out.usePool(USER, new PoolCall.Enter(page));
    }

    @Override
    public void publish(List<Stores> stores, Effects out) {
        if (stores.isEmpty()) {
            return;
        }
        boolean announces = !rules.isImmediate();
        out.usePool(
                USER,
                new PoolCall.Publish(
                        stores.stream()
                                .map(each ->
                                        new PoolCall.Stores(
                                                each.page(), each.number(), true, announces))
                                .toList()));
        stores.forEach(each -> out.dropDiff(each.page(), each.number()));
    }

    @Override
    public void announce(List<PageId> announced, long number, Effects out) {
        out.usePool(
                USER,
                new PoolCall.Publish(
                        announced.stream()
                                .map(page -> new PoolCall.Stores(page, number, false, true))
                                .toList()));
    }

    @Override
    public void takeMapped(Effects out) {
        out.usePool(USER, new PoolCall.TakeMapped());
    }

    @Override
    public void takeList(Effects out) {
        out.usePool(USER, new PoolCall.TakeList());
    }

    @Override
    public void check(List<PageId> checked, Effects out) {
        out.usePool(USER, new PoolCall.Check(checked));
    }

    @Override
    public void leave(List<PageId> left, Effects out) {
        out.usePool(USER, new PoolCall.Leave(left));
    }

    void onDone(PoolResult result, Effects out) {
        switch (result) {
            case PoolResult.Entered(PageId page, var entry) -> {
                if (entry != PoolResult.Entry.BY_TRAP) {
                    boolean isChecked = entry == PoolResult.Entry.UNSAFE;
                    results.entered(page, isChecked, false, new Payload.PoolFrame(page), out);
                }
            }
            case PoolResult.Published(var stores, var unsafe) -> {
                unsafe.forEach(this::checkIfMapped);
                stores.forEach(each -> results.published(each.number(), out));
            }
            case PoolResult.Mapped(var entered) -> results.mapped(entered, out);
            case PoolResult.Listed(var weak) -> results.listTaken(weak, out);
            case PoolResult.Checked(var stale) -> results.checked(stale, out);
            case PoolResult.Stored _, PoolResult.Served _ ->
                    throw new ProtocolViolation("event=" + result + ": of another node");
        }
    }

    /** A page has become unsafe; a copy that was discarded since, or will be, needs no checks. */
    void checkIfMapped(PageId page) {
        switch (pages.entry(page).state()) {
            case State.Clean _, State.Dirty _ -> pages.checked().add(page);
            default -> {} // another copy has its own result
        }
    }
}
