package io.muninn.nativefault;

import io.muninn.model.MappingId;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * An agent that a test may kill. Arguments: socket, token in hexadecimal. Pings its application ten
 * times a second and resolves nothing. A fault at {@link #COMPUTING_OFFSET} has it compute for
 * {@link #COMPUTING_MILLIS}, without a ping.
 */
final class AgentMain {
    static final long COMPUTING_OFFSET = 8L * Pair.PAGE;
    static final long COMPUTING_MILLIS = 2 * Watched.LOSS_MILLIS;

    private static final int PING_MILLIS = 100;

    private AgentMain() {}

    public static void main(String[] arguments) {
        byte[] token = HexFormat.of().parseHex(arguments[1]);
        try (AgentSocket socket = AgentSocket.listen(arguments[0])) {
            System.out.println("listening");
            Optional<TrappedProcess> first = Optional.empty();
            while (first.isEmpty()) {
                Descriptors.await(PING_MILLIS, socket.fd());
                first = socket.accept(token);
            }
            serve(first.get().engine());
        }
    }

    private static void serve(FaultEngine engine) {
        Commands commands = new Commands();
        while (!commands.gone()) {
            Descriptors.await(PING_MILLIS, engine.first().commandFd(), engine.first().faultFd());
            engine.first().ping();
            engine.readFaults(MappingId.FIRST, (_, offset, kind, _) -> onFault(offset));
            engine.first().onCommandReadable(commands);
        }
        System.out.println("application gone");
    }

    private static void onFault(long offset) {
        System.out.println("fault " + offset);
        if (offset == COMPUTING_OFFSET) {
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(COMPUTING_MILLIS)) {
                Thread.onSpinWait();
            }
            System.out.println("computed");
        }
    }
}
