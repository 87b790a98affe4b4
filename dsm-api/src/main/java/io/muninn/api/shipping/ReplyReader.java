package io.muninn.api.shipping;

import org.jspecify.annotations.Nullable;

/**
 * Reads replies to calls of one method.
 *
 * @param where the object and its node, as text for the user
 */
record ReplyReader(ShippedMethod method, String where, @Nullable ClassLoader loader) {
    /**
     * Returns the result of the call.
     *
     * @throws Throwable the exception of the call
     */
    @Nullable Object read(byte[] reply) throws Throwable {
        ByteSource in = new ByteSource(reply);
        if (in.u8() == ServedObject.RETURNED) {
            return method.readResult(in);
        }
        throw Failures.read(in, where, loader, method.declaredExceptions());
    }
}
