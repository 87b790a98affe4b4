package io.muninn.launch.process;

import io.muninn.agent.QuitWatch;
import io.muninn.agent.lifecycle.Agent;
import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.agent.lifecycle.Grace;
import io.muninn.agent.lifecycle.NodeEnd;
import io.muninn.agent.lifecycle.ServedNodes;
import io.muninn.api.Band;
import io.muninn.transport.net.Address;
import io.muninn.transport.net.HostNodes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Runs the agents of a run as processes of this machine, or as those of other hosts behind a client
 * of ssh for each, and leaves none behind. With many agents of this machine it starts the next one
 * when an earlier one begins to join: if all started at once, each would get so little CPU time
 * that they would declare each other lost. Agents end when they read the end of their pipe, so they
 * end with the launcher in any case. The launcher ends agents that do not end soon after the first
 * that failed, or after the root.
 *
 * <p><b>Threads.</b> {@link #run} once, from any thread. A shutdown hook ends the nodes when the
 * launcher is terminated.
 */
public final class Launcher {
    /** Time for processes to end at the end of the run or after a signal to the launcher. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long START_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final Duration HEARTBEAT_MAX = Duration.ofSeconds(1);

    /** Heartbeats per limit after which an agent considers its launcher gone. */
    private static final int HEARTBEATS_PER_LIMIT = 5;

    /**
     * The plan of a run.
     *
     * @param places the agents of the run, at least one, in the order of their nodes
     * @param heartbeatLimit an agent that receives nothing for this time ends
     * @param grace times after which the remaining agents are killed
     * @param agents the agent of each node
     */
    public record Plan(List<Place> places, Duration heartbeatLimit, Grace grace, Agents agents) {
        public Plan {
            places = List.copyOf(places);
        }

        /** The nodes of the run. */
        public int nodes() {
            return places.getLast().nodes().last() + 1;
        }

        public Duration heartbeat() {
            Duration share = Duration.ofNanos(heartbeatLimit.toNanos() / HEARTBEATS_PER_LIMIT);
            return share.compareTo(HEARTBEAT_MAX) < 0 ? share : HEARTBEAT_MAX;
        }

        /** Number of checks, one per heartbeat, in which the other agents detect a stopped one. */
        int stoppedLooksMax() {
            return (int) heartbeatLimit.dividedBy(heartbeat()) + 1;
        }
    }

    /**
     * Where an agent runs.
     *
     * @param nodes the nodes that it serves
     * @param host another host, whose client of ssh is started here; empty for this one
     */
    public record Place(ServedNodes nodes, Optional<String> host) {
        /**
         * Divides the nodes of this host among agents.
         *
         * @param nodes at least 1
         * @param agents 1 to {@code nodes}
         */
        public static List<Place> here(int nodes, int agents) {
            return IntStream.range(0, agents)
                    .mapToObj(agent -> Band.of(nodes, agent, agents))
                    .map(share -> new ServedNodes(share.from(), share.to() - 1))
                    .map(served -> new Place(served, Optional.empty()))
                    .toList();
        }
    }

    /**
     * An agent to start.
     *
     * @param command program and arguments
     * @param configuration sent through its pipe, followed by heartbeats
     */
    public record AgentStart(List<String> command, byte[] configuration) {}

    /** Describes the agents to start. */
    public interface Agents {
        /**
         * An agent.
         *
         * @param nodes the nodes that it serves
         * @param meeting the address at which the root listens
         * @param secret the secret shared by all nodes of the run
         */
        AgentStart of(ServedNodes nodes, String meeting, String secret);
    }

    private final Plan plan;
    private final Streams streams;
    private final RunTag mark = RunTag.random();
    private final Address.Unix meeting = new Address.Unix("muninn-" + mark.value());
    private final String secret = SecretFile.random();
    private final List<AgentProcess> launched = new ArrayList<>();
    private final BlockingQueue<AgentProcess> ended = new LinkedBlockingQueue<>();
    private final List<NodeEnd> endings = new ArrayList<>();
    private final Progress progress;

    /** True when the launcher has been terminated: a process that ends then is not a loss. */
    private volatile boolean ending;

    private boolean failed;

    /** True if the agents have been notified of the failure. */
    private boolean told;

    /** True if the remaining agents have had their time to end, and are killed after the next. */
    private boolean hurried;

    /** True if the launcher itself has declared a node lost. */
    private boolean lost;

    private final KillTime killTime = new KillTime();

    public Launcher(Plan plan, Streams streams) {
        this.plan = plan;
        this.streams = streams;
        this.progress = new Progress(streams.messages(), streams.hasProgress());
    }

    /**
     * Starts all nodes and waits for their end.
     *
     * @return one of {@link ExitStatus}
     * @throws InterruptedException if the caller was interrupted; all nodes have been ended
     * @throws StartException if the system cannot start a node; all started nodes have been ended
     */
    public int run() throws InterruptedException {
        Thread hook = Thread.ofPlatform().name("muninn-launcher-end").unstarted(this::endAll);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            supervise();
        } catch (InterruptedException stop) {
            endAll();
            throw stop;
        } finally {
            progress.erase();
            mark.end(PATIENCE_NANOS);
            removeHook(hook);
        }
        return lost ? ExitStatus.NODE_LOST : NodeEnd.status(endings);
    }

    /**
     * Starts one more node if there is one and enough earlier ones have begun to join.
     *
     * @return true if a node was started
     */
    private boolean startNext() {
        int next = launched.size();
        if (!startsMore() || next - endings.size() >= Agent.startingMax() && !isTurnOf(next)) {
            return false;
        }
        Place place = plan.places().get(next);
        ServedNodes nodes = place.nodes();
        AgentStart start = plan.agents().of(nodes, meeting.toString(), secret);
        try {
            AgentProcess agent = AgentProcess.start(place, start, mark, streams);
            synchronized (launched) {
                launched.add(agent);
            }
            agent.process().onExit().thenRun(() -> ended.add(agent));
        } catch (IOException cause) {
            endAll();
            throw new StartException("cannot start " + nodes + ": " + cause.getMessage(), cause);
        }
        return true;
    }

    private boolean isTurnOf(int next) {
        if (plan.places().get(next).host().isPresent()) {
            return true; // it has the processors of another host
        }
        try {
            return next - HostNodes.listening(meeting) < Agent.startingMax();
        } catch (UncheckedIOException hidden) {
            return true; // nothing to wait for
        }
    }

    /** True if nodes remain to be started; after a failure none is started. */
    private boolean startsMore() {
        return launched.size() < plan.places().size() && !failed && !lost && !ending;
    }

    /** Sends heartbeats, shows progress and kills lingering agents, until every agent has ended. */
    private void supervise() throws InterruptedException {
        long startNanos = System.nanoTime();
        long heartbeatNanos = plan.heartbeat().toNanos();
        long nextNanos = startNanos + heartbeatNanos;
        boolean watchesQuit = !streams.takesQuit();
        while (startsMore() || endings.size() < launched.size()) {
            boolean started;
            do {
                started = startNext(); // all permitted, before an end is handled
            } while (started);
            long nowNanos = System.nanoTime();
            long lateNanos = nowNanos - nextNanos;
            if (lateNanos > heartbeatNanos) {
                killTime.postpone(lateNanos);
            }
            if (lateNanos >= 0) {
                launched.forEach(AgentProcess::sendHeartbeat);
                lookForStopped();
                if (!watchesQuit) { // not at the start, which it would delay
                    watchesQuit = true;
                    QuitWatch.start(this::showWaits);
                }
                long seconds = TimeUnit.NANOSECONDS.toSeconds(nowNanos - startNanos);
                String noun = plan.nodes() == 1 ? " node, " : " nodes, ";
                progress.show(plan.nodes() + noun + seconds + " s");
                nextNanos = nowNanos + heartbeatNanos;
            }
            if (killTime.hasCome(nowNanos)) {
                endLeft();
            }
            long wakeNanos = killTime.orEarlier(nextNanos);
            if (startsMore()) {
                wakeNanos = Math.min(wakeNanos, nowNanos + START_LOOK_NANOS);
            }
            AgentProcess agent = ended.poll(wakeNanos - nowNanos, TimeUnit.NANOSECONDS);
            if (agent != null) {
                agent.unusualEnd().ifPresent(this::say);
                onEnd(agent.ending());
            }
        }
    }

    /**
     * Checks for stopped agents: while nodes join, the others cannot detect one that is not
     * connected yet, and when the run is over, they no longer look.
     */
    private void lookForStopped() {
        for (AgentProcess agent : launched) {
            boolean stopped = agent.lookWhetherStopped() > plan.stoppedLooksMax();
            if (stopped && !failed) {
                lost = true;
                String stoppedFor =
                        "has been stopped for " + plan.heartbeatLimit().toMillis() + " ms";
                say(agent.nodes().are("lost", stoppedFor));
                agent.kill();
            }
        }
    }

    private void onEnd(NodeEnd ending) {
        endings.add(ending);
        ending.signal()
                .ifPresent(signal ->
                        say(ending.nodes().are("lost", "was killed by signal " + signal)));
        if (ending.exitValue() != ExitStatus.OK) {
            failed = true;
            if (lost || ending.signal().isPresent() || ending.exitValue() == ExitStatus.NODE_LOST) {
                tellFailure(); // nobody else tells those that wait for the lost node to join
            }
            killWithin(plan.grace().afterFailure());
        } else if (ending.nodes().hasRoot()) {
            killWithin(plan.grace().afterRoot());
        }
        if (failed && endings.size() == launched.size() - 1) {
            killWithin(plan.grace().ofTheLast());
        }
    }

    /** Kills the remaining agents after this time, or at an earlier time already set. */
    private void killWithin(Duration grace) {
        killTime.within(grace, System.nanoTime());
    }

    /**
     * Ends the remaining agents: after a failure first those that have not joined, which are not
     * notified of it, and then all.
     */
    private void endLeft() {
        killTime.clear();
        if (failed && !hurried) {
            hurried = true;
            tellFailure();
            killWithin(plan.grace().ofTheLast());
        } else {
            killLeft();
        }
    }

    /** Ends the nodes that have not joined. */
    private void tellFailure() {
        if (!told) {
            told = true;
            launched.forEach(AgentProcess::sendFailure);
        }
    }

    private void killLeft() {
        for (AgentProcess agent : launched) {
            if (agent.process().isAlive()) {
                agent.kill();
                ServedNodes left = agent.nodes();
                say(left + " did not end with the run; " + left.agent() + " is killed");
            }
        }
    }

    private void say(String text) {
        if (!ending) {
            progress.erase();
            streams.messages().println("dsm run: " + text);
        }
    }

    /**
     * Requests every agent to end, waits, then kills. Also called by the shutdown hook, when no
     * other code runs.
     */
    private void endAll() {
        ending = true;
        synchronized (launched) {
            launched.stream().filter(each -> each.nodes().hasRoot()).forEach(this::letTell);
            launched.forEach(AgentProcess::closePipe);
        }
        mark.end(PATIENCE_NANOS);
    }

    /** Lets the root show all waits, while the run goes on. */
    private void showWaits() {
        synchronized (launched) {
            launched.stream()
                    .filter(each -> each.nodes().hasRoot())
                    .forEach(AgentProcess::sendShowWaits);
        }
    }

    /** Lets the root show what all threads wait for, before the run is ended. */
    private void letTell(AgentProcess root) {
        root.sendInterrupt();
        try {
            root.process().waitFor(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** The ends of the nodes, in the order in which they occurred; valid after {@link #run}. */
    public List<NodeEnd> endings() {
        return List.copyOf(endings);
    }

    /** Removes a shutdown hook, unless this process already ends. */
    public static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException endingAlready) {
            return; // the hook itself has ended the nodes
        }
    }
}
