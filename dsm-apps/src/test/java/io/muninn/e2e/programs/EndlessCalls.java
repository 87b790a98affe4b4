package io.muninn.e2e.programs;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.NodeLostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Never ends by itself: everybody calls an object of node 1, and says what ended the call. */
public final class EndlessCalls implements DsmProgram {
    /** What each node prints once. */
    public static final String UNDER_WAY = "under way";

    /** How a line begins that a thread prints when its call ends by the loss of a node. */
    public static final String ENDED = "call ended: ";

    private static final int ROUNDS_BEFORE = 3;

    /** Something to call. */
    interface Desk {
        long ask(long value);

        CompletableFuture<Long> askLater(long value);
    }

    private static final class Echo implements Desk {
        @Override
        public long ask(long value) {
            return value;
        }

        @Override
        public CompletableFuture<Long> askLater(long value) {
            return CompletableFuture.completedFuture(value);
        }
    }

    @Override
    public void run(DsmNode node) {
        Desk desk = node.shipped("desk", Desk.class, 1, Echo::new);
        for (long round = 0; ; round++) {
            CompletableFuture<Long> later = desk.askLater(round);
            try {
                desk.ask(round);
                later.join();
            } catch (NodeLostException lost) {
                System.out.println(ENDED + lost.getMessage());
                throw lost;
            } catch (CompletionException failed) {
                System.out.println(ENDED + failed.getCause().getMessage());
                throw failed;
            }
            if (round == ROUNDS_BEFORE) {
                System.out.println(UNDER_WAY);
            }
        }
    }
}
