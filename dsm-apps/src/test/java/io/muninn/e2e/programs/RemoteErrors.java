package io.muninn.e2e.programs;

import io.muninn.api.Comparison;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Home;
import io.muninn.api.NodeLostException;
import io.muninn.api.RemoteLongs;
import io.muninn.api.Shared;
import java.util.concurrent.CompletionException;

/**
 * Remote variables in runs that fail: {@code outside} accesses an index out of range on the last
 * node; {@code lost} waits for words of every home, until a node is lost.
 */
public final class RemoteErrors implements DsmProgram {
    private static final int PAGE_LONGS = 512;

    @Shared(home = Home.CYCLIC)
    final RemoteLongs table = RemoteLongs.of(8 * PAGE_LONGS);

    private final String what;

    public RemoteErrors(String[] words) {
        what = words[0];
    }

    @Override
    public void run(DsmNode node) {
        if (what.equals("outside")) {
            if (node.id() == node.nodes() - 1) {
                table.add(8 * PAGE_LONGS, 1);
            }
            node.barrier("end").await();
            return;
        }
        System.out.println("waits");
        try {
            if (node.id() == 0) {
                table.awaitUntil(PAGE_LONGS + 1, Comparison.EQUAL, 1);
            }
            while (true) {
                table.getAndAddAsync(node.id() == 1 ? 0 : PAGE_LONGS, 1).join();
            }
        } catch (NodeLostException lost) {
            System.out.println("node " + node.id() + " was told in a wait");
            throw lost;
        } catch (CompletionException lost) {
            System.out.println("node " + node.id() + " was told by " + lost.getCause().getClass());
            throw lost;
        }
    }
}
