package io.muninn.e2e.programs;

import io.muninn.api.Dsm;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Membership;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.util.List;

/** Each node tells what it has been given: options, properties, its number. */
public final class TellsAll implements DsmProgram {
    @Shared private final LongArray told = LongArray.of(64);
    private final List<String> options;

    public TellsAll(List<String> options) {
        this.options = List.copyOf(options);
    }

    @Override
    public void run(DsmNode node) {
        told.set(node.id(), 1);
        node.barrier("told").await();
        System.out.println(
                String.join(" ", options)
                        + ", x is "
                        + System.getProperty("x")
                        + ", y is "
                        + System.getProperty("y"));
        System.err.print("error"); // without the end of its line
    }

    @Override
    public Verdict verify(DsmNode root) {
        for (int node = 0; node < root.nodes(); node++) {
            if (told.get(node) != 1) {
                return Verdict.wrong("node " + node + " has told nothing");
            }
        }
        return Verdict.right(root.nodes() + " nodes have told");
    }

    /** The same by a {@code main}, in a class that is no program. */
    public static final class ByMain {
        @Shared private final LongArray told = LongArray.of(64);

        private ByMain() {}

        /** Joins, and throws if it has options. */
        public static void main(String[] options) {
            ByMain shared = new ByMain();
            try (Membership run = Dsm.join(shared)) {
                DsmNode node = run.node();
                shared.told.set(node.id(), node.id() + 1);
                node.barrier("told").await();
                if (options.length > 0) {
                    throw new IllegalStateException("told to throw");
                }
                System.out.println(
                        "node " + node.id() + " sees " + shared.told.get(node.nodes() - 1));
                run.complete(Verdict.unchecked());
            }
        }
    }

    /** Declares a variable that no run can have. */
    public static final class Unannotated implements DsmProgram {
        final LongArray count = LongArray.of(10);

        @Override
        public void run(DsmNode node) {
            count.set(0, 1);
        }
    }
}
