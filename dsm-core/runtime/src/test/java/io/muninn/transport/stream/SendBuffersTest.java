package io.muninn.transport.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SendBuffersTest {
    private static final int BYTES = 1 << 10;
    private static final int MANY = 10;

    private final UnpooledByteBufAllocator allocator = UnpooledByteBufAllocator.DEFAULT;
    private final SendBuffers buffers = new SendBuffers(BYTES);

    @Test
    void sentBuffer_comesBackEmpty() {
        ByteBuf first = buffers.take(allocator).writeLong(1);
        ByteBuf second = buffers.take(allocator);
        assertNotSame(first, second);
        first.release(); // as the channel does
        ByteBuf third = buffers.take(allocator);
        assertSame(first, third);
        assertEquals(0, third.readableBytes());
        third.release();
        second.release();
        buffers.close();
        assertEquals(0, first.refCnt());
        assertEquals(0, second.refCnt());
    }

    @Test
    void bufferThatGrew_isNotKept() {
        ByteBuf grown = buffers.take(allocator).writeZero(2 * BYTES);
        grown.release();
        ByteBuf next = buffers.take(allocator);
        assertNotSame(grown, next);
        assertEquals(0, grown.refCnt());
        assertEquals(BYTES, next.capacity());
        next.release();
        buffers.close();
    }

    @Test
    void ofMany_aFewAreKept() {
        List<ByteBuf> taken = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            taken.add(buffers.take(allocator));
        }
        taken.forEach(ByteBuf::release);
        assertEquals(4, taken.stream().filter(each -> each.refCnt() == 1).count());
        buffers.close();
        assertEquals(0, taken.stream().mapToInt(ByteBuf::refCnt).sum());
        ByteBuf late = buffers.take(allocator);
        assertEquals(1, late.refCnt());
        late.release();
    }
}
