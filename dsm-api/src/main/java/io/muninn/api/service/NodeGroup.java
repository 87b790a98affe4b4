package io.muninn.api.service;

import io.muninn.api.Band;
import io.muninn.api.Domain;
import io.muninn.api.DsmBarrier;
import io.muninn.api.Group;
import io.muninn.api.Reduction;
import io.muninn.api.Schedule;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** A group, for one application thread. */
final class NodeGroup implements Group {
    private static final String ALL = "muninn.group";

    private final ThreadServices thread;
    private final String name; // of its barrier; the same on all threads of the group
    private final int[] members; // their positions among all threads, in order
    private final int position; // of this thread among them
    private long loops; // loops before
    private int splits; // splits before

    private NodeGroup(ThreadServices thread, String name, int[] members) {
        this.thread = thread;
        this.name = name;
        this.members = members;
        this.position = Arrays.binarySearch(members, thread.position());
    }

    static NodeGroup ofAll(ThreadServices thread) {
        return new NodeGroup(thread, ALL, IntStream.range(0, thread.positions()).toArray());
    }

    @Override
    public int position() {
        return position;
    }

    @Override
    public int positions() {
        return members.length;
    }

    @Override
    public DsmBarrier barrier() {
        return thread.barrier(name, members.length);
    }

    @Override
    public void forEach(Band range, Schedule schedule, IntConsumer body) {
        run(
                range,
                schedule,
                share -> {
                    for (int i = share.from(); i < share.to(); i++) {
                        body.accept(i);
                    }
                });
    }

    @Override
    public void forEach(Domain domain, Schedule schedule, Consumer<Domain.Line> body) {
        run(domain.range(), schedule, share -> domain.lines(share).forEach(body));
    }

    private void run(Band range, Schedule schedule, Consumer<Band> body) {
        DsmBarrier end = barrier();
        thread.checkBarrier(name);
        loops++;
        Shares shares =
                new Shares(
                        range.length(),
                        position,
                        members.length,
                        thread,
                        name + " loops",
                        members[0] / thread.threads(),
                        loops);
        int first = range.from();
        thread.inLoopOfGroup(() ->
                shares.run(
                        schedule,
                        items -> body.accept(new Band(first + items.from(), first + items.to()))));
        end.await();
    }

    @Override
    public Group split(int part) {
        if (part < 0) {
            throw new IllegalArgumentException(
                    "part " + part + " of a split: parts are numbered from 0");
        }
        int[] mine = new int[members.length];
        mine[position] = part;
        int[] parts = barrier().await(Reduction.ofInts(Reduction.Operator.SUM), mine);
        splits++;
        int[] same =
                IntStream.range(0, members.length)
                        .filter(i -> parts[i] == part)
                        .map(i -> members[i])
                        .toArray();
        return new NodeGroup(thread, name + "/" + splits + "." + part, same);
    }
}
