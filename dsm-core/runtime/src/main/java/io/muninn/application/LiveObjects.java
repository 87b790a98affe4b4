package io.muninn.application;

import io.muninn.api.service.ObjectLink;
import io.muninn.api.shipping.Declaration;
import io.muninn.ipc.Call;
import io.muninn.ipc.CallBuffer;
import io.muninn.model.ObjectId;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Shipped objects called and served through the agents. */
record LiveObjects(LiveLink link) implements ObjectLink {
    @Override
    public void declare(Declaration object, Runnable startServer) {
        AgentConnection connection = link.connection();
        connection
                .start(Call.DECLARE)
                .text(object.object().name())
                .u32(object.node())
                .i64(object.fingerprint())
                .text(object.text());
        connection.call();
        if (object.node() == link.shape().node()) {
            startServer.run();
        }
    }

    @Override
    public void startOwnThread(String name, Runnable body) {
        Thread.ofPlatform().name(name).daemon(true).start(body);
    }

    @Override
    public void bindOwnThread() {
        link.bindOwnThread();
    }

    @Override
    public Reply ship(Declaration object, byte[] request) {
        AgentConnection connection = link.connection();
        fields(connection.start(Call.SHIP), object, request);
        try {
            connection.call();
        } catch (RefusedException refused) {
            return Reply.refused(refused.getMessage());
        }
        return reply(connection);
    }

    @Override
    public void post(long number, Declaration object, byte[] request) {
        AgentConnection connection = link.connection();
        fields(connection.start(Call.POST).i64(number), object, request);
        connection.call();
    }

    private static void fields(CallBuffer out, Declaration object, byte[] request) {
        out.text(object.object().name())
                .u32(object.node())
                .i64(object.fingerprint())
                .bytes(MemorySegment.ofArray(request));
    }

    @Override
    public Completion awaitCompletion() {
        AgentConnection connection = link.connection();
        connection.start(Call.COMPLETIONS);
        long number = connection.call();
        try {
            connection.inner();
        } catch (RefusedException refused) {
            return new Completion(number, Reply.refused(refused.getMessage()));
        }
        return new Completion(number, reply(connection));
    }

    private static Reply reply(AgentConnection connection) {
        connection.answer().u32(); // the serving node
        return Reply.of(connection.answer().rest());
    }

    @Override
    public byte[] serve(ObjectId object, Optional<byte[]> reply) {
        AgentConnection connection = link.connection();
        CallBuffer call = connection.start(Call.SERVE).text(object.name());
        call.u8(reply.isPresent() ? 1 : 0);
        reply.ifPresent(body -> call.bytes(MemorySegment.ofArray(body)));
        connection.call();
        connection.answer().u32(); // the caller's node
        return connection.answer().rest();
    }

    @Override
    public <T> CompletableFuture<T> newFuture() {
        return new CompletableFuture<>();
    }
}
