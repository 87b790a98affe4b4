package io.muninn.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * The processes of one test run, found by a mark in their environment, so that those are seen too
 * whose parents are gone. A process that has ended and that nobody has asked after is not seen.
 */
final class MarkedProcesses {
    private static final String VARIABLE = "MUNINN_TEST_RUN";
    private static final String AGENT_VARIABLE = "MUNINN_AGENT";
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final String mark = UUID.randomUUID().toString();

    /** Who a process is. */
    enum Role {
        LAUNCHER,
        AGENT,
        APPLICATION
    }

    /**
     * One process.
     *
     * @param node -1 for the launcher; of an agent, the first that it serves
     * @param last of an agent, the last node that it serves; else as {@code node}
     * @param process of an application, its number in its node; else 0
     */
    record Member(long pid, Role role, int node, int last, int process) {
        Member(long pid, Role role, int node) {
            this(pid, role, node, node, 0);
        }

        boolean isOf(int which) {
            return node <= which && which <= last;
        }

        /** Sends a signal by name, such as {@code KILL}. */
        void signal(String name) {
            try {
                Process kill =
                        new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                                .redirectErrorStream(true)
                                .start();
                kill.waitFor();
            } catch (IOException cause) {
                throw new IllegalStateException("cannot run kill", cause);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** The words of its command line; none if it has ended. */
        List<String> command() {
            return words(pid, "cmdline");
        }

        /** The words of its environment; none if it has ended. */
        List<String> environment() {
            return words(pid, "environ");
        }

        /** Of an application, the first part of the addresses of its node's sockets. */
        String address() {
            String agent =
                    environment().stream()
                            .filter(word -> word.startsWith(AGENT_VARIABLE + "="))
                            .findFirst()
                            .orElseThrow();
            String address = agent.split("[= ]")[1];
            return address.substring(0, address.lastIndexOf('-'));
        }

        @Override
        public String toString() {
            String nodes = node == last ? " of node " + node : " of nodes " + node + " to " + last;
            return role + (node < 0 ? "" : nodes) + " (" + pid + ")";
        }
    }

    void putInto(Map<String, String> environment) {
        environment.put(VARIABLE, mark);
    }

    List<Member> all() {
        List<Member> members = new ArrayList<>();
        ProcessHandle.allProcesses()
                .mapToLong(ProcessHandle::pid)
                .filter(pid -> pid != ProcessHandle.current().pid())
                .forEach(pid -> member(pid).ifPresent(members::add));
        return members;
    }

    Optional<Member> find(Role role, int node) {
        return all().stream()
                .filter(member -> member.role() == role && member.isOf(node))
                .findFirst();
    }

    /** Waits until none is left; says which are. */
    List<Member> awaitNone(Duration limit) {
        awaitUntil(limit, () -> all().isEmpty());
        return all();
    }

    /** Kills all processes that are left. */
    void killAll() {
        List<Member> left = all();
        while (!left.isEmpty()) {
            left.forEach(member -> member.signal("KILL"));
            left = awaitNone(Duration.ofSeconds(1));
        }
    }

    /** Stacks of the Java threads of every process, for a test that waits too long. */
    String threadDumps() {
        StringBuilder text = new StringBuilder();
        for (Member member : all()) {
            text.append("==== ").append(member).append('\n').append(threadDump(member));
        }
        return text.toString();
    }

    /**
     * Polls, because other processes do not notify this one.
     *
     * @return whether it became true in time
     */
    static boolean awaitUntil(Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    private static String threadDump(Member member) {
        String jstack = Path.of(System.getProperty("java.home"), "bin", "jstack").toString();
        try {
            Process process =
                    new ProcessBuilder("timeout", "10", jstack, Long.toString(member.pid()))
                            .redirectErrorStream(true)
                            .start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException cause) {
            return "no thread dump: " + cause + "\n";
        }
    }

    private Optional<Member> member(long pid) {
        List<String> environment = words(pid, "environ");
        if (!environment.contains(VARIABLE + "=" + mark)) {
            return Optional.empty();
        }
        Optional<String> agent =
                environment.stream()
                        .filter(word -> word.startsWith(AGENT_VARIABLE + "="))
                        .findFirst();
        if (agent.isPresent()) { // socket, token, node, process and more, separated by blanks
            String[] words = agent.get().split(" ");
            int node = Integer.parseInt(words[2]);
            int process = Integer.parseInt(words[3]);
            return Optional.of(new Member(pid, Role.APPLICATION, node, node, process));
        }
        List<String> command = words(pid, "cmdline");
        return command.stream()
                .filter(word -> word.startsWith("--id="))
                .map(word -> word.substring("--id=".length()).split("-"))
                .findFirst()
                .map(ids -> Optional.of(agent(pid, ids)))
                .orElseGet(() -> Optional.of(new Member(pid, Role.LAUNCHER, -1)));
    }

    /** An agent of one node, or of all from one to another. */
    private static Member agent(long pid, String[] ids) {
        int first = Integer.parseInt(ids[0]);
        return new Member(pid, Role.AGENT, first, Integer.parseInt(ids[ids.length - 1]), 0);
    }

    private static List<String> words(long pid, String file) {
        try {
            Path path = Path.of("/proc", Long.toString(pid), file);
            String text = Files.readString(path, StandardCharsets.ISO_8859_1);
            return Arrays.stream(text.split("\0")).collect(Collectors.toList());
        } catch (IOException ended) {
            return List.of();
        }
    }
}
