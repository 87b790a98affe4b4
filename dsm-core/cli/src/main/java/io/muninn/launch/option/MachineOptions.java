package io.muninn.launch.option;

import io.muninn.sim.delay.MachineModel;
import io.muninn.sim.machine.HandlerPolicy;
import io.muninn.sim.machine.SmpModel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the machines on which a program is simulated. */
public final class MachineOptions {
    private static final String HANDLERS = "--handlers";
    private static final String HANDLER_SEED = "--handler-seed";
    private static final String FIRST_CACHE = "--l1-bytes";
    private static final String SECOND_CACHE = "--l2-bytes";
    private static final long SEED = 1;

    @Option(
            names = "--network",
            paramLabel = "NET",
            converter = Converters.NetworkName.class,
            description =
                    "machines and network: loopback, rack, ethernet-1991; with caches, buses and"
                            + " handlers on the processors of the threads: smp-1998,"
                            + " smp-1998-memory, smp-1998-io, smp-1998-wide, smp-rack (default:"
                            + " loopback)")
    private @Nullable Network network; // null if not given

    @Option(
            names = HANDLERS,
            paramLabel = "P",
            converter = Converters.HandlerPolicyName.class,
            description =
                    "for smp networks, the processor of a node that handles requests of other"
                            + " nodes: static, the first one; round-robin; dedicated, a further"
                            + " one; idle, one that waits, or any one (default: static)")
    private @Nullable HandlerPolicy handlers; // null if not given

    @Option(
            names = HANDLER_SEED,
            paramLabel = "N",
            description = "for --handlers idle: seed of the choice of any one (default: 1)")
    private @Nullable Long handlerSeed; // null if not given

    @Option(
            names = FIRST_CACHE,
            paramLabel = "N",
            description = "for smp networks: bytes of each first-level cache, a power of two")
    private @Nullable Integer firstCacheBytes; // null if not given

    @Option(
            names = SECOND_CACHE,
            paramLabel = "N",
            description = "for smp networks: bytes of each second-level cache, a power of two")
    private @Nullable Integer secondCacheBytes; // null if not given

    @Mixin private ProcessorOptions processors = new ProcessorOptions();

    /** Machines and network, with or without a model of the hardware. */
    public sealed interface Network {
        /** Costs of operations. */
        record Costs(MachineModel model) implements Network {}

        /** A model of the hardware. */
        record Hardware(SmpModel model) implements Network {}
    }

    /**
     * The nodes of a run with a model of their hardware.
     *
     * @param policy where handlers run
     * @param hasUpdates whether hardware sends stores
     * @param seed of choices by chance
     */
    public record Smp(SmpModel model, HandlerPolicy policy, boolean hasUpdates, long seed) {}

    /**
     * The nodes with a model of their hardware, if they have one.
     *
     * @param hasUpdates whether hardware sends stores
     * @throws IllegalArgumentException whose text is for the user
     */
    public Optional<Smp> smp(boolean hasUpdates) {
        if (!(network instanceof Network.Hardware(SmpModel model))) {
            requireNone(HANDLERS, handlers);
            requireNone(HANDLER_SEED, handlerSeed);
            requireNone(FIRST_CACHE, firstCacheBytes);
            requireNone(SECOND_CACHE, secondCacheBytes);
            requireNone("--protocol " + Converters.AUTOMATIC, hasUpdates ? true : null);
            return Optional.empty();
        }
        if (processors.isAnyGiven()) {
            throw new IllegalArgumentException(
                    "options of processors mean nothing with --network "
                            + model.name()
                            + ": each thread has one");
        }
        HandlerPolicy policy = Optional.ofNullable(handlers).orElse(HandlerPolicy.STATIC);
        if (handlerSeed != null && policy != HandlerPolicy.IDLE) {
            throw new IllegalArgumentException(
                    HANDLER_SEED + " means nothing without " + HANDLERS + " idle");
        }
        SmpModel sized =
                model.withCacheBytes(
                        Optional.ofNullable(firstCacheBytes).orElse(model.caches().firstBytes()),
                        Optional.ofNullable(secondCacheBytes).orElse(model.caches().secondBytes()));
        long seed = Optional.ofNullable(handlerSeed).orElse(SEED);
        return Optional.of(new Smp(sized, policy, hasUpdates, seed));
    }

    private static void requireNone(String option, @Nullable Object given) {
        if (given != null) {
            throw new IllegalArgumentException(
                    option + " means nothing without a --network that begins with smp");
        }
    }

    /** The costs of operations on nodes without a model of their hardware. */
    public MachineModel costs() {
        return network instanceof Network.Costs(MachineModel model) ? model : MachineModel.LOOPBACK;
    }

    /** The processors of nodes without a model of their hardware. */
    public ProcessorOptions processors() {
        return processors;
    }
}
