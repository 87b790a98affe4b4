package io.muninn.e2e.programs;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Node 1 hands the system memory of a region whose pages are on node 0, and says what came of it;
 * then it has touched the first page, and tries again; then the views carry all of it.
 */
public final class SystemCalls implements DsmProgram {
    private static final int LENGTH = 1024 * 512;
    private static final int BYTES = LENGTH * Long.BYTES;

    @Shared(Protocol.WRITE_SHARED)
    final LongArray data = LongArray.of(LENGTH);

    @Override
    public void run(DsmNode node) {
        DsmBarrier filled = node.barrier("filled");
        if (node.id() == 0) {
            for (int i = 0; i < LENGTH; i++) {
                data.set(i, i);
            }
        }
        filled.await();
        if (node.id() == 1) {
            try {
                Path path = Files.createTempFile("muninn-calls", "");
                try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
                    tryAll(file);
                } finally {
                    Files.delete(path);
                }
            } catch (IOException cause) {
                throw new UncheckedIOException(cause);
            }
        }
        filled.await();
    }

    private void tryAll(FileChannel file) throws IOException {
        System.out.println("absent: " + direct(file));
        if (data.get(1) != 1) {
            throw new IllegalStateException("element 1 is " + data.get(1));
        }
        System.out.println("partly: " + direct(file));
        data.writeTo(file.position(0).truncate(0), 0, LENGTH);
        System.out.println("views: " + outcome((int) file.position()));
    }

    /** All of it, or what the system says. */
    private String direct(FileChannel file) {
        ByteBuffer memory = data.segment(0, LENGTH, Mode.READ).asByteBuffer();
        try {
            return outcome(file.write(memory, 0));
        } catch (IOException refused) {
            return refused.getMessage();
        }
    }

    private static String outcome(int bytes) {
        return bytes == BYTES ? "all" : "short, " + bytes + " of " + BYTES;
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.right("tried");
    }
}
