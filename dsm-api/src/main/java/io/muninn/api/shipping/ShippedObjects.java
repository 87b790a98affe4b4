package io.muninn.api.shipping;

import io.muninn.api.Messages;
import io.muninn.model.ObjectId;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The shipped objects that one process has declared, by name.
 *
 * <p><b>Threads.</b> Any application thread; the same holds for the proxies.
 */
public final class ShippedObjects {
    private record Known(Declaration declaration, Object caller) {}

    private final int nodes;
    private final Route route;
    private final Map<ObjectId, Known> known = new HashMap<>(); // guarded by the monitor

    /**
     * @param nodes in the cluster
     */
    public ShippedObjects(int nodes, Route route) {
        this.nodes = nodes;
        this.route = route;
    }

    /**
     * Returns the proxy of an object; see {@code DsmNode.shipped}.
     *
     * @throws IllegalArgumentException if the name, the node or the interface is invalid, or if the
     *     object is declared with another interface or on another node
     */
    public synchronized <T> T shipped(
            String name, Class<T> type, int node, Supplier<? extends T> maker) {
        ObjectId object = new ObjectId(name);
        if (node < 0 || node >= nodes) {
            throw new IllegalArgumentException(
                    "object '" + name + "' on node " + node + ", outside 0.." + (nodes - 1));
        }
        Known before = known.get(object);
        if (before != null) {
            check(before.declaration(), type, node);
            return type.cast(before.caller());
        }
        ShippedInterface schema = schema(name, type);
        Declaration declaration = Declaration.of(object, schema, node);
        ServedObject served = new ServedObject(schema, maker);
        route.declare(declaration, served);
        T caller =
                type.cast(
                        Proxy.newProxyInstance(
                                type.getClassLoader(),
                                new Class<?>[] {type},
                                new Caller(declaration, schema, served)));
        known.put(object, new Known(declaration, caller));
        return caller;
    }

    private static ShippedInterface schema(String name, Class<?> type) {
        try {
            return new ShippedInterface(type);
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(
                    "object '" + name + "': " + refused.getMessage(), refused);
        }
    }

    private static void check(Declaration before, Class<?> type, int node) {
        if (!before.type().equals(type.getName()) || before.node() != node) {
            throw new IllegalArgumentException(
                    "object '"
                            + before.object()
                            + "' is "
                            + before.text()
                            + ", and cannot be "
                            + type.getName()
                            + " on node "
                            + node);
        }
    }

    /** The proxy of an object on the caller's side. */
    private final class Caller implements InvocationHandler {
        private final Declaration declaration;
        private final ShippedInterface type;
        private final ServedObject served;
        private final String where;

        Caller(Declaration declaration, ShippedInterface type, ServedObject served) {
            this.declaration = declaration;
            this.type = type;
            this.served = served;
            this.where = "object '" + declaration.object() + "' on node " + declaration.node();
        }

        @Override
        public @Nullable Object invoke(
                Object caller, Method called, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            int index = type.indexOf(called);
            if (index < 0) {
                return ofEveryObject(caller, called, arguments);
            }
            ShippedMethod method = type.method(index);
            byte[] request = request(index, arguments == null ? new Object[0] : arguments);
            ReplyReader replies = new ReplyReader(method, where, type.type().getClassLoader());
            if (method.isAsynchronous()) {
                CompletableFuture<@Nullable Object> future = route.newFuture();
                route.post(declaration, request, new PostedCall(future, replies));
                return future;
            }
            return replies.read(
                    route.isDirect(declaration)
                            ? direct(request)
                            : route.call(declaration, request));
        }

        /** Runs the call on this thread: a thread of the serving node needs no message. */
        private byte[] direct(byte[] request) {
            route.takeTurn(declaration);
            try {
                return served.serve(request);
            } finally {
                route.endTurn(declaration);
            }
        }

        private Object ofEveryObject(
                Object caller, Method called, @Nullable Object @Nullable [] arguments) {
            return switch (called.getName()) {
                case "equals" -> arguments != null && caller == arguments[0];
                case "hashCode" -> System.identityHashCode(caller);
                default -> type.type().getName() + " " + where; // toString
            };
        }

        private byte[] request(int index, @Nullable Object[] arguments) {
            CallChain chain = CallChain.calling(declaration.object().name(), route.heldLocks());
            ByteSink out = new ByteSink();
            out.u32(index);
            chain.write(out);
            type.method(index).writeArguments(arguments, out);
            byte[] request = out.toBytes();
            if (request.length > Messages.BYTES_MAX) {
                throw new IllegalArgumentException(
                        "a call of "
                                + where
                                + " takes "
                                + request.length
                                + " bytes, more than "
                                + Messages.BYTES_MAX);
            }
            return request;
        }
    }
}
