package io.muninn.e2e.programs;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Never ends by itself, or when a file appears, if one is named: faults, locks and barriers in
 * turn, so that a loss meets nodes in all of them. Each node says when it is under way.
 */
public final class Endless implements DsmProgram {
    /** What each node prints once. */
    public static final String UNDER_WAY = "under way";

    private static final int ROUNDS_BEFORE = 3;
    private static final int PAGE = 4096 / Long.BYTES;
    private static final int PAGES = 4; // every node may be the home of one
    private static final int END = 60; // of even rounds; the next one of odd rounds
    private static final int TURNS = 63; // of all threads

    @Shared private final LongArray conventional = LongArray.of(64);

    @Shared(Protocol.WRITE_SHARED)
    private final LongArray shared = LongArray.of(PAGES * PAGE);

    private final Optional<Path> end;

    public Endless(List<String> options) {
        end = options.stream().findFirst().map(Path::of);
    }

    @Override
    public void run(DsmNode node) {
        DsmLock lock = node.lock("turn");
        DsmBarrier barrier = node.barrier("round");
        boolean goesOn = true;
        for (long round = 0; goesOn; round++) {
            int ending = END + (int) (round % 2);
            if (node.position() == 0 && end.isPresent() && Files.exists(end.get())) {
                conventional.set(ending, 1);
            }
            conventional.set(node.position(), round);
            for (int page = 0; page < PAGES; page++) {
                shared.set(page * PAGE + node.position(), round);
            }
            lock.lock();
            try {
                conventional.set(TURNS, conventional.get(TURNS) + 1);
            } finally {
                lock.unlock();
            }
            barrier.await();
            goesOn = conventional.get(ending) == 0;
            if (round == ROUNDS_BEFORE && node.thread() == 0) {
                System.out.println(UNDER_WAY);
            }
        }
    }

    /** Every thread has done as many rounds as this one. */
    @Override
    public Verdict verify(DsmNode root) {
        long rounds = conventional.get(root.position()) + 1;
        boolean isRight = conventional.get(TURNS) == rounds * root.positions();
        for (int i = 0; i < PAGES * root.positions(); i++) {
            int element = i / root.positions() * PAGE + i % root.positions();
            isRight &= shared.get(element) == rounds - 1;
        }
        String text = rounds + " rounds of " + root.positions() + " threads";
        return isRight ? Verdict.right(text) : Verdict.wrong(text);
    }
}
