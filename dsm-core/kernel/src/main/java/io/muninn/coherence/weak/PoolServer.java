package io.muninn.coherence.weak;

import io.muninn.api.Protocol;
import io.muninn.coherence.weak.WeakMessages.CheckReply;
import io.muninn.coherence.weak.WeakMessages.CheckRequest;
import io.muninn.coherence.weak.WeakMessages.EnterReply;
import io.muninn.coherence.weak.WeakMessages.EnterRequest;
import io.muninn.coherence.weak.WeakMessages.Fill;
import io.muninn.coherence.weak.WeakMessages.Leave;
import io.muninn.coherence.weak.WeakMessages.ListReply;
import io.muninn.coherence.weak.WeakMessages.Msg;
import io.muninn.coherence.weak.WeakMessages.Publish;
import io.muninn.coherence.weak.WeakMessages.PublishAck;
import io.muninn.coherence.weak.WeakMessages.UnsafePages;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.PoolCall;
import io.muninn.spi.PoolResult;
import io.muninn.spi.ProtocolViolation;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.List;

/**
 * The operations of nodes of other hosts on the pool of this one. Each is performed when its
 * message arrives, and answered in the same step, so requests of a node are performed and answered
 * in order. Nothing is kept between two messages: a far node has its bits and its weak list in the
 * pool, as every node has, and a publisher posts to it there.
 */
final class PoolServer {
    private static final Protocol USER = Protocol.WEAK;

    private final Context context;
    private final WeakPages pages;
    private final MessageLimits limits;

    PoolServer(Context context, WeakPages pages) {
        this.context = context;
        this.pages = pages;
        this.limits = context.updates().limits();
    }

    // requests

    void onEnterRequest(NodeId from, EnterRequest request, Effects out) {
        serve(from, request, new PoolCall.Enter(request.page()), out);
    }

    void onPublish(NodeId from, Publish publish, Effects out) {
        List<PoolCall.Received> stores = new ArrayList<>();
        publish.published()
                .forEach(each -> stores.add(new PoolCall.Received(each.page(), each.diff())));
        serve(
                from,
                publish,
                new PoolCall.Store(publish.number(), stores, publish.announces()),
                out);
    }

    void onFill(NodeId from, Fill fill, Effects out) {
        serve(from, fill, new PoolCall.StoreFirst(fill.number(), fill.page(), fill.image()), out);
    }

    void onCheckRequest(NodeId from, CheckRequest request, Effects out) {
        serve(from, request, new PoolCall.Check(request.pages()), out);
    }

    void onLeave(NodeId from, Leave leave, Effects out) {
        serve(from, leave, new PoolCall.Leave(leave.pages()), out);
    }

    void onListRequest(NodeId from, Effects out) {
        out.usePool(USER, new PoolCall.Serve(from, new PoolCall.TakeList()));
    }

    private void serve(NodeId from, Msg request, PoolCall.Servable call, Effects out) {
        boolean isFar = !context.hosts().areTogether(context.self(), from);
        boolean isHere = request.pages().stream().allMatch(pages::isNear);
        if (!isFar || !isHere) {
            throw new ProtocolViolation(
                    "node=" + from + " event=" + request + ": not for the pool of this host");
        }
        out.usePool(USER, new PoolCall.Serve(from, call));
    }

    // results

    void onDone(NodeId node, PoolResult result, Effects out) {
        switch (result) {
            case PoolResult.Entered(PageId page, var entry) -> {
                out.count(NodeCounter.PAGES_SENT);
                boolean isUnsafe = entry == PoolResult.Entry.UNSAFE;
                out.send(
                        node,
                        new EnterReply(page, isUnsafe, false, new Payload.ServedFrame(page, node)));
            }
            case PoolResult.Stored(long number, var unsafe) -> {
                if (!unsafe.isEmpty()) { // known before another acquire asks for a list
                    out.send(node, new UnsafePages(unsafe));
                }
                out.send(node, new PublishAck(number));
            }
            case PoolResult.Listed(var weak) -> sendList(node, weak, out);
            case PoolResult.Checked(var stale) -> out.send(node, new CheckReply(stale));
            case PoolResult.Published _, PoolResult.Mapped _, PoolResult.Served _ ->
                    throw new ProtocolViolation("node=" + node + " event=" + result);
        }
    }

    private void sendList(NodeId node, List<PageId> weak, Effects out) {
        int from = 0;
        while (weak.size() - from > limits.pages()) {
            out.send(node, new ListReply(0, false, weak.subList(from, from + limits.pages())));
            from += limits.pages();
        }
        out.send(node, new ListReply(0, true, weak.subList(from, weak.size())));
    }
}
