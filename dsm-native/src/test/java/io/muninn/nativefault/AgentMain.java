package io.muninn.nativefault;

import io.muninn.model.MappingId;
import java.util.HexFormat;
import java.util.Optional;

/**
 * An agent that a test may kill. Arguments: socket, token in hexadecimal. Pings its application ten
 * times a second and resolves nothing.
 */
final class AgentMain {
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
            engine.readFaults(
                    MappingId.FIRST, (_, offset, kind, _) -> System.out.println("fault " + offset));
            engine.first().onCommandReadable(commands);
        }
        System.out.println("application gone");
    }
}
