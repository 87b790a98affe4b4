package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.muninn.model.FaultKind;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A test as the agent of an application in a process of its own. */
final class Pair implements AutoCloseable {
    static final int PAGE = ApplicationMapping.pageBytes();
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final AtomicInteger NAMES = new AtomicInteger();

    /** Flags of a JVM whose collector and compiler do not matter: it starts sooner. */
    static final List<String> QUICK = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final Path PAGE_THREADS =
            Path.of(System.getProperty("basedir", ""))
                    .toAbsolutePath()
                    .resolve("target/native-test/page_threads");
    private static final int WATCH_OFFSET = 8;

    /** A fault as delivered. */
    record Fault(long offset, FaultKind kind) {}

    final AgentSocket socket;
    final Child application;
    final FaultEngine engine;
    final Commands commands = new Commands();
    private final Deque<Fault> faults = new ArrayDeque<>();

    private Pair(AgentSocket socket, Child application, FaultEngine engine) {
        this.socket = socket;
        this.application = application;
        this.engine = engine;
    }

    /** With an application in C, which starts soonest. */
    static Pair start(EngineKind kind, long regionBytes) {
        return start(kind, regionBytes, 60_000);
    }

    /** With an application in C. */
    static Pair start(EngineKind kind, long regionBytes, long lossMillis) {
        String name = name();
        AgentSocket socket = AgentSocket.listen(name);
        return start(socket, startApplication(kind, name, token(), lossMillis, regionBytes));
    }

    /** A node of a pool, with an application in C whose traps can be held. */
    static Pair startPooled(EngineKind kind, long regionBytes, int node, PoolSegment pool) {
        String name = name();
        AgentSocket socket = AgentSocket.listen(name);
        socket.share(pool);
        List<String> command = new ArrayList<>(List.of(PAGE_THREADS.toString()));
        command.addAll(List.of(arguments(kind, name, token(), node, 60_000, regionBytes)));
        return start(socket, Child.start(command, Map.of("MUNINN_TRAP_GATE", "1")));
    }

    /** With a {@link FaultingApplication} in a JVM with these flags. */
    static Pair startJvm(EngineKind kind, long regionBytes, List<String> flags) {
        return startJvm(Map.of(), kind, regionBytes, flags);
    }

    /** With a library that every process loads before the C library. */
    static Pair startPreloaded(
            Path library, EngineKind kind, long regionBytes, List<String> flags) {
        return startJvm(Map.of("LD_PRELOAD", library.toString()), kind, regionBytes, flags);
    }

    private static Pair startJvm(
            Map<String, String> environment,
            EngineKind kind,
            long regionBytes,
            List<String> flags) {
        String name = name();
        AgentSocket socket = AgentSocket.listen(name);
        return start(
                socket,
                Child.startJvm(
                        environment,
                        FaultingApplication.class,
                        flags,
                        arguments(kind, name, token(), 60_000, regionBytes)));
    }

    private static Pair start(AgentSocket socket, Child application) {
        FaultEngine engine = accept(socket, application);
        if (!application.line().startsWith("attached")) {
            throw new AssertionError(application.errors());
        }
        return new Pair(socket, application, engine);
    }

    /** An application in C. */
    static Child startApplication(
            EngineKind kind, String name, byte[] token, long lossMillis, long regionBytes) {
        List<String> command = new ArrayList<>(List.of(PAGE_THREADS.toString()));
        command.addAll(List.of(arguments(kind, name, token, lossMillis, regionBytes)));
        return Child.start(command);
    }

    /** An application in a JVM. */
    static Child startJvmApplication(EngineKind kind, String name, long lossMillis, long bytes) {
        return Child.startJvm(
                FaultingApplication.class,
                QUICK,
                arguments(kind, name, token(), lossMillis, bytes));
    }

    /** The same for both kinds of application. */
    private static String[] arguments(
            EngineKind kind, String name, byte[] token, long lossMillis, long regionBytes) {
        return arguments(kind, name, token, 7, lossMillis, regionBytes);
    }

    private static String[] arguments(
            EngineKind kind,
            String name,
            byte[] token,
            int node,
            long lossMillis,
            long regionBytes) {
        return new String[] {
            name,
            HexFormat.of().formatHex(token),
            Integer.toString(node),
            Long.toString(lossMillis),
            Long.toString(regionBytes),
            Integer.toString(PAGE), // of control memory
            Integer.toString(WATCH_OFFSET),
            kind.word()
        };
    }

    private static FaultEngine accept(AgentSocket socket, Child application) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < PATIENCE_NANOS && application.isAlive()) {
            Descriptors.await(100, socket.fd());
            Optional<TrappedProcess> first = socket.accept(token());
            if (first.isPresent()) {
                return first.get().engine();
            }
        }
        application.close();
        throw new AssertionError("nobody attached; stderr: " + application.errors());
    }

    /** An abstract socket name that no other test uses. */
    static String name() {
        return "muninn-test-" + ProcessHandle.current().pid() + "-" + NAMES.getAndIncrement();
    }

    static byte[] token() {
        byte[] token = new byte[32];
        for (int i = 0; i < token.length; i++) {
            token[i] = (byte) (i * 7 + 1);
        }
        return token;
    }

    /** Serves the descriptors once, waiting for at most 50 ms. */
    void serve() {
        serve(50);
    }

    void serve(int millis) {
        Descriptors.await(millis, engine.first().faultFd(), engine.first().commandFd());
        engine.readFaults(
                MappingId.FIRST, (_, offset, kind, _) -> faults.add(new Fault(offset, kind)));
        engine.first().onCommandReadable(commands);
    }

    void serveUntil(BooleanSupplier reached) {
        long start = System.nanoTime();
        while (!reached.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new AssertionError("not reached; stderr: " + application.errors());
            }
            serve();
        }
    }

    /** The next fault. */
    Fault fault() {
        serveUntil(() -> !faults.isEmpty());
        return faults.remove();
    }

    /** Faults delivered and not taken yet. */
    int faultsWaiting() {
        return faults.size();
    }

    void fill(long offset, long value) {
        engine.alias().set(JAVA_LONG, offset, value);
    }

    long content(long offset) {
        return (long) JAVA_LONG.varHandle().getVolatile(engine.alias(), offset);
    }

    /** Gives access to one page and resumes its threads. */
    void resolve(long page, PageAccess access) {
        engine.allow(MappingId.FIRST, page, PAGE, access);
        engine.wake(page, PAGE);
    }

    /** Drops one page and waits until it is dropped. */
    void drop(long page) {
        long sequence = engine.first().drop(page, PAGE);
        serveUntil(() -> commands.drops.contains(sequence));
    }

    @Override
    public void close() {
        application.close();
        engine.close();
        socket.close();
    }
}
