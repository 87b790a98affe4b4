package io.muninn.launch.cluster;

import io.muninn.model.NodeId;
import io.muninn.transport.net.Address;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the environment of a process says about its place in a run: one task of {@code srun}, of
 * {@code mpirun} or of an Indexed Job of Kubernetes is one node. Each part is read only when it is
 * asked for, so an option can stand in for a variable. Every error is an {@link
 * IllegalArgumentException} whose text names the variable, its value and the option.
 */
public final class ClusterEnvironment {
    /** Where the root of a Kubernetes job listens: a pod has an address of its own. */
    public static final int KUBERNETES_PORT = 7000;

    /** Below the ports that Linux chooses for connections. */
    private static final int FIRST_PORT = 20_000;

    private static final int PORTS = 10_000;
    private static final int JOB_FACTOR = 31; // steps of a job, and jobs in a row, differ
    private static final int NAME_LENGTH_MAX = 60;

    /** A group of hosts in a list of Slurm, as {@code [07-12,15]}, from its first number on. */
    private static final Pattern GROUP = Pattern.compile("\\[(\\d+)[\\d,-]*]");

    /** A host or some hosts, in front of a list that goes on. */
    private static final Pattern FIRST_HOST = Pattern.compile("([^,\\[]|\\[[\\d,-]+])+");

    /**
     * What has set the variables; the first that is there counts. Open MPI stands before Slurm,
     * because it uses {@code srun} inside an allocation; Slurm stands before PMIx, which it may
     * offer its tasks.
     */
    private enum Source {
        OPEN_MPI("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
        SLURM("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
        PMIX("PMIX_RANK", ""),
        KUBERNETES("JOB_COMPLETION_INDEX", "");

        final String rank;
        final String size; // empty if no variable says it

        Source(String rank, String size) {
            this.rank = rank;
            this.size = size;
        }
    }

    private final Source source;
    private final Map<String, String> variables;

    private ClusterEnvironment(Source source, Map<String, String> variables) {
        this.source = source;
        this.variables = variables;
    }

    /**
     * Looks for the variables of a task.
     *
     * @param variables those of this process
     * @return empty if this process is no task
     */
    public static Optional<ClusterEnvironment> of(Map<String, String> variables) {
        for (Source source : Source.values()) {
            if (variables.containsKey(source.rank)) {
                return Optional.of(new ClusterEnvironment(source, variables));
            }
        }
        return Optional.empty();
    }

    /** The name of the variable that says which node this is. */
    public String rankVariable() {
        return source.rank;
    }

    /** Which node this is, from 0. */
    public int rank() {
        return number(source.rank, 0, NodeId.LIVE_MAX - 1, "--id");
    }

    /** How many nodes there are. */
    public int size() {
        if (source.size.isEmpty()) {
            throw new IllegalArgumentException(
                    source.rank
                            + " is set, but no variable says how many nodes there are: --nodes N"
                            + " does");
        }
        if (source == Source.SLURM && !variables.containsKey(source.size)) {
            throw new IllegalArgumentException(
                    source.rank
                            + " is set, but not "
                            + source.size
                            + ": this is no task of a step; start it with srun, or give --nodes");
        }
        return number(source.size, 1, NodeId.LIVE_MAX, "--nodes");
    }

    /**
     * Where the root listens, as all tasks of the run find it out: a socket within the host if they
     * share one, else the host of task 0 and a port that follows from the job.
     *
     * @param port overrides the port; if there is one, nodes meet by TCP in any case
     */
    public Address root(OptionalInt port) {
        return switch (source) {
            case OPEN_MPI -> rootOfOpenMpi(port);
            case SLURM -> rootOfSlurm(port);
            case KUBERNETES -> new Address.Tcp(rootOfJob(), port.orElse(KUBERNETES_PORT));
            case PMIX ->
                    throw new IllegalArgumentException(
                            "PMIX_RANK is set, but no variable names the host of node 0: --root"
                                    + " HOST:PORT does");
        };
    }

    /**
     * On which address the root listens, if it is not where others look for it: a pod knows its own
     * name without the cluster's name service.
     */
    public Optional<String> listenOfRoot() {
        return source == Source.KUBERNETES
                ? Optional.of(text("HOSTNAME", "--listen"))
                : Optional.empty();
    }

    private Address rootOfOpenMpi(OptionalInt port) {
        String option = "--root HOST:PORT";
        int here = number("OMPI_COMM_WORLD_LOCAL_SIZE", 1, Integer.MAX_VALUE, option);
        int all = number(source.size, 1, NodeId.LIVE_MAX, option);
        if (here < all) {
            throw new IllegalArgumentException(
                    "of "
                            + all
                            + " tasks (OMPI_COMM_WORLD_SIZE) "
                            + here
                            + " are on this host (OMPI_COMM_WORLD_LOCAL_SIZE), and mpirun does not"
                            + " say on which host task 0 is: "
                            + option
                            + " does");
        }
        return port.isPresent()
                ? new Address.Tcp("127.0.0.1", port.getAsInt())
                : within("mpi", text("PMIX_NAMESPACE", option));
    }

    private Address rootOfSlurm(OptionalInt port) {
        String option = "--root HOST:PORT";
        long job = longNumber("SLURM_JOB_ID", option);
        long step = longNumber("SLURM_STEP_ID", option);
        if (port.isEmpty() && number("SLURM_STEP_NUM_NODES", 1, Integer.MAX_VALUE, option) == 1) {
            return within("slurm", job + "." + step);
        }
        int derived = FIRST_PORT + (int) Math.floorMod(JOB_FACTOR * job + step, (long) PORTS);
        String hosts = text("SLURM_STEP_NODELIST", option);
        return new Address.Tcp(firstHost(hosts, option), port.orElse(derived));
    }

    /** The first host of a list such as {@code rack[1-2]n[07,09],login}. */
    private static String firstHost(String hosts, String option) {
        Matcher first = FIRST_HOST.matcher(hosts);
        if (!first.lookingAt()) {
            throw wrong("SLURM_STEP_NODELIST", hosts, "a list of hosts", option);
        }
        return GROUP.matcher(first.group()).replaceAll("$1");
    }

    /** The pod with index 0, by the name of its service, which is also that of the job. */
    private String rootOfJob() {
        String option = "--root HOST:PORT";
        String pod = text("HOSTNAME", option);
        String end = "-" + rank();
        if (!pod.endsWith(end) || pod.length() == end.length()) {
            throw wrong("HOSTNAME", pod, "the name of a job and " + end, option);
        }
        String job = pod.substring(0, pod.length() - end.length());
        return job + "-0." + job;
    }

    private static Address within(String kind, String id) {
        String unique = id.substring(Math.max(0, id.length() - NAME_LENGTH_MAX));
        return new Address.Unix("muninn-" + kind + "-" + unique);
    }

    private String text(String variable, String option) {
        String value = variables.get(variable);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException(
                    source.rank
                            + " is set, but not "
                            + variable
                            + ", which is needed without "
                            + option);
        }
        return value;
    }

    private int number(String variable, int min, int max, String option) {
        String value = text(variable, option);
        if (value.matches("\\d{1,9}")) {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        }
        String range = max == Integer.MAX_VALUE ? min + " or more" : min + " to " + max;
        throw wrong(variable, value, "a number, " + range, option);
    }

    private long longNumber(String variable, String option) {
        String value = text(variable, option);
        if (!value.matches("\\d{1,15}")) {
            throw wrong(variable, value, "a number", option);
        }
        return Long.parseLong(value);
    }

    private static IllegalArgumentException wrong(
            String variable, String value, String expected, String option) {
        return new IllegalArgumentException(
                variable
                        + " is '"
                        + value
                        + "', not "
                        + expected
                        + "; "
                        + option
                        + " overrides it");
    }
}
