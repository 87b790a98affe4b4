package io.muninn.api.shipping;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmException;
import io.muninn.api.ShippedCallException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Requests and replies of other nodes with bytes that no node sends. A request is answered; a reply
 * is a value, the exception of the call, or a {@link DsmException}.
 */
class ForeignShippingTest {
    private static final int FEW = 5_000;
    private static final int MANY = 1_000_000;

    sealed interface Tree permits Leaf, Fork {}

    record Leaf(double value) implements Tree {}

    record Fork(@Nullable Tree left, Tree right) implements Tree {}

    record Task(long id, String name, int[] parts, Optional<Tree> tree, Map<String, Long> costs) {}

    interface Tasks {
        List<Task> take(String worker, Task done, long[] times);
    }

    private static final Task TASK =
            new Task(
                    7,
                    "seven",
                    new int[] {1, 2, 3},
                    Optional.of(new Fork(new Leaf(1), new Fork(null, new Leaf(2)))),
                    Map.of("first", 1L, "second", 2L));

    private final ShippedInterface type = new ShippedInterface(Tasks.class);
    private final ShippedMethod method = type.method(0);
    private final Tasks tasks = (_, done, _) -> List.of(done, TASK);
    private final ServedObject served = new ServedObject(type, () -> tasks);
    private final ReplyReader replies =
            new ReplyReader(method, "object 'tasks' on node 0", Tasks.class.getClassLoader());

    private byte[] request() {
        ByteSink out = new ByteSink();
        out.u32(0);
        CallChain.calling("tasks", List.of("lock")).write(out);
        method.writeArguments(new Object[] {"worker", TASK, new long[] {1, 2}}, out);
        return out.toBytes();
    }

    private static byte[] failure() {
        ByteSink out = new ByteSink();
        out.u8(ServedObject.THREW);
        Failures.write(new IllegalStateException("no", new RuntimeException("cause")), out);
        return out.toBytes();
    }

    @Test
    void requests_areAnswered() throws Throwable {
        feedRequests(FEW);
    }

    @Test
    @Tag("slow")
    void aMillionRequests_areAnswered() throws Throwable {
        feedRequests(MANY);
    }

    @Test
    void replies_areReadOrRefused() throws Throwable {
        feedReplies(FEW);
    }

    @Test
    @Tag("slow")
    void aMillionReplies_areReadOrRefused() throws Throwable {
        feedReplies(MANY);
    }

    private void feedRequests(int inputs) throws Throwable {
        SplittableRandom random = new SplittableRandom(26);
        byte[] request = request();
        int returned = 0;
        for (int i = 0; i < inputs; i++) {
            byte[] reply = served.serve(changed(request, random));
            returned += reply[0] == ServedObject.RETURNED ? 1 : 0;
        }
        assertTrue(returned > 0 && returned < inputs, returned + " of " + inputs);
    }

    private void feedReplies(int inputs) throws Throwable {
        SplittableRandom random = new SplittableRandom(27);
        byte[][] valid = {served.serve(request()), failure()};
        int refused = 0;
        for (int i = 0; i < inputs; i++) {
            byte[] reply = changed(valid[i % valid.length], random);
            try {
                replies.read(reply);
            } catch (DsmException malformed) {
                refused++;
            } catch (Throwable thrown) {
                if (!(thrown.getCause() instanceof ShippedCallException)) {
                    throw new AssertionError("reply " + i + ": " + Arrays.toString(reply), thrown);
                }
            }
        }
        assertTrue(refused > 0 && refused < inputs, refused + " of " + inputs);
    }

    /** Changes up to four bytes, and sometimes cuts off the end or adds noise. */
    private static byte[] changed(byte[] valid, SplittableRandom random) {
        int length = random.nextInt(4) == 0 ? random.nextInt(valid.length + 20) : valid.length;
        byte[] bytes = Arrays.copyOf(valid, length);
        for (int i = random.nextInt(5); i > 0 && length > 0; i--) {
            int extreme = random.nextInt(3);
            bytes[random.nextInt(length)] =
                    (byte) (extreme == 0 ? -1 : extreme == 1 ? 0x7F : random.nextInt(256));
        }
        return bytes;
    }
}
