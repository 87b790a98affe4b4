package io.muninn.coherence.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.Copyset;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.NodeId;
import io.muninn.transport.stream.ByteBufReader;
import io.muninn.transport.stream.ByteBufWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CopiesCodecTest {
    private final ByteBuf buffer = Unpooled.buffer();
    private final ByteBufWriter writer = writer(buffer);

    private static ByteBufWriter writer(ByteBuf buffer) {
        ByteBufWriter writer =
                new ByteBufWriter(payload -> {
                    throw new AssertionError(payload);
                });
        writer.wrap(buffer, 1 << 20);
        return writer;
    }

    private static DatedCopyset copies(Random random) {
        DatedCopyset copies = DatedCopyset.of(Copyset.ofWords(random.nextInt(4)));
        for (int i = random.nextInt(3); i > 0; i--) {
            copies = copies.end(new NodeId(random.nextInt(4)));
        }
        return copies;
    }

    private static AppliedDiffs applied(Random random) {
        AppliedDiffs applied = AppliedDiffs.EMPTY;
        for (int i = random.nextInt(4); i > 0; i--) {
            applied = applied.with(new NodeId(random.nextInt(3)), 1 + random.nextInt(300));
        }
        return applied;
    }

    @Test
    void whatIsWritten_isRead_whateverCameBefore() {
        Random random = new Random(11);
        List<DatedCopyset> copies = new ArrayList<>();
        List<AppliedDiffs> applied = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            boolean asBefore = i > 0 && random.nextBoolean();
            copies.add(asBefore ? copies.getLast() : copies(random));
            applied.add(asBefore ? applied.getLast() : applied(random));
            CopiesCodec.write(copies.getLast(), writer);
            CopiesCodec.write(applied.getLast(), writer);
        }

        ByteBufReader reader = new ByteBufReader(buffer);
        CopiesCodec known = new CopiesCodec();
        for (int i = 0; i < copies.size(); i++) {
            assertEquals(copies.get(i), known.copies(reader));
            assertEquals(applied.get(i), known.applied(reader));
        }
        assertEquals(0, reader.remaining());
    }

    @Test
    void pagesThatAreAlike_share() {
        DatedCopyset copies = DatedCopyset.of(Copyset.ofWords(3));
        AppliedDiffs applied = AppliedDiffs.EMPTY.with(new NodeId(1), 1000);
        for (int i = 0; i < 2; i++) {
            CopiesCodec.write(copies, writer);
            CopiesCodec.write(applied, writer);
        }

        ByteBufReader reader = new ByteBufReader(buffer);
        CopiesCodec known = new CopiesCodec();
        DatedCopyset firstCopies = known.copies(reader);
        AppliedDiffs firstApplied = known.applied(reader);
        assertSame(firstCopies, known.copies(reader));
        assertSame(firstApplied, known.applied(reader));
    }
}
