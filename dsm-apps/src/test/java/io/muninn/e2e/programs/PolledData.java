package io.muninn.e2e.programs;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * Node 0 stores to many words of a flag's page, then to data, and then to the flag, without any
 * synchronization; node 1 waits for the flag and loads the data. Every protocol of a flag meets
 * every protocol of the data.
 */
public final class PolledData implements DsmProgram {
    private static final int ROUNDS = 25;
    private static final int OTHERS = 399; // words on the flag's page that are stored to as well
    private static final int TAG = 1;
    private static final List<Protocol> PROTOCOLS =
            List.of(
                    Protocol.LAZY,
                    Protocol.HOME_BASED,
                    Protocol.WRITE_SHARED,
                    Protocol.HYBRID,
                    Protocol.CONVENTIONAL);

    @Shared(Protocol.LAZY)
    private final LongArray lazyFlag = LongArray.of(1 + OTHERS);

    @Shared(Protocol.HOME_BASED)
    private final LongArray homeFlag = LongArray.of(1 + OTHERS);

    @Shared(Protocol.WRITE_SHARED)
    private final LongArray sharedFlag = LongArray.of(1 + OTHERS);

    private int stale;

    @Override
    public void run(DsmNode node) {
        List<LongArray> data = new ArrayList<>();
        for (Protocol protocol : PROTOCOLS) {
            data.add(node.allocate("data " + protocol, LongArray.of(ROUNDS), protocol));
        }
        for (LongArray flag : List.of(lazyFlag, homeFlag, sharedFlag)) {
            for (int i = 0; i < data.size(); i++) {
                for (int round = 0; round < ROUNDS; round++) {
                    exchange(node, flag, 1 + i * ROUNDS + round, data.get(i), round);
                }
            }
        }
        if (stale > 0) {
            throw new IllegalStateException(stale + " rounds showed a flag without its data");
        }
    }

    /** One round: the value of the flag grows from round to round. */
    private void exchange(DsmNode node, LongArray flag, long value, LongArray data, int round) {
        if (node.isRoot()) {
            node.messages().receive(1, TAG); // node 1 polls
            for (int other = 1; other <= OTHERS; other++) {
                flag.set(other, value);
            }
            data.set(round, value);
            flag.setVolatile(0, value);
        } else {
            node.messages().send(0, TAG, new byte[0]);
            node.refreshUntil(() -> flag.getVolatile(0) == value);
            stale += data.get(round) == value ? 0 : 1;
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.right(3 * PROTOCOLS.size() * ROUNDS + " flags came with their data");
    }
}
