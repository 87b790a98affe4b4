package io.muninn.api.shipping;

import io.muninn.api.DsmException;
import io.muninn.api.Messages;
import java.lang.reflect.InvocationTargetException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An object on the node that serves it. It is created before its first call, by the thread that
 * runs that call.
 *
 * <pre>
 * request   u32 method, chain: u32 objects, texts, u32 locks, texts; arguments
 * reply     u8 0 and the result, or u8 1 and a failure
 * </pre>
 *
 * <p><b>Threads.</b> Any; the caller ensures that only one call runs at a time.
 */
public final class ServedObject {
    static final int RETURNED = 0;
    static final int THREW = 1;

    private final ShippedInterface type;
    private final Supplier<?> maker;
    private @Nullable Object made; // null before the first call

    ServedObject(ShippedInterface type, Supplier<?> maker) {
        this.type = type;
        this.maker = maker;
    }

    /**
     * Runs a call within its chain.
     *
     * @return the reply: the result of the call, or its exception
     */
    public synchronized byte[] serve(byte[] request) {
        try {
            byte[] reply = run(new ByteSource(request));
            if (reply.length > Messages.BYTES_MAX) {
                throw new DsmException(
                        "a result of "
                                + reply.length
                                + " bytes, more than "
                                + Messages.BYTES_MAX
                                + ", by "
                                + type.type().getName());
            }
            return reply;
        } catch (Throwable thrown) {
            ByteSink reply = new ByteSink();
            reply.u8(THREW);
            Failures.write(thrown, reply);
            return reply.toBytes();
        }
    }

    private byte[] run(ByteSource in) throws Throwable {
        ShippedMethod method = type.method(in.index(type.methods()));
        CallChain chain = CallChain.read(in);
        @Nullable Object[] arguments = method.readArguments(in);
        @Nullable Object result = chain.during(() -> invoke(method, arguments));
        ByteSink reply = new ByteSink();
        reply.u8(RETURNED);
        method.writeResult(result, reply);
        return reply.toBytes();
    }

    private @Nullable Object invoke(ShippedMethod method, @Nullable Object[] arguments)
            throws Throwable {
        Object object = made;
        if (object == null) {
            object = type.type().cast(maker.get());
            made = object;
        }
        try {
            Object returned = method.method().invoke(object, arguments);
            return method.isAsynchronous() ? ShippedMethod.settled(returned) : returned;
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() == null ? thrown : thrown.getCause();
        }
    }
}
