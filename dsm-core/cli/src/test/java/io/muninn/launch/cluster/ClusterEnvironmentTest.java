package io.muninn.launch.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The variables as Slurm 22.05, Open MPI 4.1 and Kubernetes set them. */
class ClusterEnvironmentTest {
    private static final Map<String, String> SLURM =
            Map.of(
                    "SLURM_PROCID", "2",
                    "SLURM_STEP_NUM_TASKS", "4",
                    "SLURM_STEP_NUM_NODES", "2",
                    "SLURM_STEP_NODELIST", "node[07-08]",
                    "SLURM_JOB_ID", "421",
                    "SLURM_STEP_ID", "0");

    private static final Map<String, String> OPEN_MPI =
            Map.of(
                    "OMPI_COMM_WORLD_RANK", "3",
                    "OMPI_COMM_WORLD_SIZE", "4",
                    "OMPI_COMM_WORLD_LOCAL_SIZE", "4",
                    "PMIX_RANK", "3",
                    "PMIX_NAMESPACE", "888733697");

    private static final Map<String, String> KUBERNETES =
            Map.of("JOB_COMPLETION_INDEX", "1", "HOSTNAME", "sor-1");

    @Test
    void processOfAUser_isNoTask() {
        assertEquals(Optional.empty(), ClusterEnvironment.of(Map.of("HOSTNAME", "desk-1")));
    }

    @Test
    void taskOfSlurm_meetsOnTheFirstHostOfItsStep() {
        ClusterEnvironment task = task(SLURM);

        assertEquals(2, task.rank());
        assertEquals(4, task.size());
        assertEquals("node07:23051", root(task)); // 20000 + (31 * 421 + 0) % 10000
        assertEquals("node07:9000", task.root(OptionalInt.of(9000)).toString());
        assertEquals(Optional.empty(), task.listenOfRoot());
    }

    /** Steps of a job may run at the same time. */
    @Test
    void stepsOfAJob_meetOnPortsOfTheirOwn() {
        assertNotEquals(root(task(SLURM)), root(task(with(SLURM, "SLURM_STEP_ID", "1"))));
    }

    @Test
    void tasksOfSlurmOnOneHost_meetWithinIt() {
        Map<String, String> one = with(SLURM, "SLURM_STEP_NUM_NODES", "1");

        assertEquals("unix:@muninn-slurm-421.0", root(task(one)));
        assertEquals("node07:9000", task(one).root(OptionalInt.of(9000)).toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "node07 | node07",
                "node07,node09 | node07",
                "node[07-12,15] | node07",
                "node[3,5]-ib,login | node3-ib",
                "rack[1-2]n[003-004] | rack1n003",
                "a.example.org,b | a.example.org"
            })
    void firstHostOfAList_isThatOfTheRoot(String hosts, String expected) {
        ClusterEnvironment task = task(with(SLURM, "SLURM_STEP_NODELIST", hosts));

        assertEquals(expected + ":9000", task.root(OptionalInt.of(9000)).toString());
    }

    @Test
    void taskOfOpenMpi_meetsWithinItsHost() {
        ClusterEnvironment task = task(OPEN_MPI);

        assertEquals(3, task.rank());
        assertEquals(4, task.size());
        assertEquals("unix:@muninn-mpi-888733697", root(task));
        assertEquals("127.0.0.1:9000", task.root(OptionalInt.of(9000)).toString());
    }

    /** The end of a long name tells jobs apart; a socket's name is short. */
    @Test
    void longNamespace_isCut() {
        String namespace = "prterun-" + "h".repeat(200) + "-4711@1";

        String root = root(task(with(OPEN_MPI, "PMIX_NAMESPACE", namespace)));

        assertTrue(root.endsWith("h-4711@1"), root);
        assertEquals("unix:@muninn-mpi-".length() + 60, root.length());
    }

    @Test
    void mpirunInsideAnAllocation_countsBeforeSlurm() {
        Map<String, String> both = new TreeMap<>(SLURM);
        both.putAll(OPEN_MPI);

        assertEquals(3, task(both).rank());
    }

    @Test
    void tasksOfOpenMpiOnSeveralHosts_needARoot() {
        assertRefused(
                with(OPEN_MPI, "OMPI_COMM_WORLD_LOCAL_SIZE", "2"),
                ClusterEnvironmentTest::root,
                "of 4 tasks (OMPI_COMM_WORLD_SIZE) 2 are on this host"
                        + " (OMPI_COMM_WORLD_LOCAL_SIZE), and mpirun does not say on which host"
                        + " task 0 is: --root HOST:PORT does");
    }

    @Test
    void taskOfPmixAlone_knowsItsRankOnly() {
        Map<String, String> pmix = Map.of("PMIX_RANK", "5");

        assertEquals(5, task(pmix).rank());
        assertRefused(
                pmix,
                ClusterEnvironment::size,
                "PMIX_RANK is set, but no variable says how many nodes there are: --nodes N does");
        assertRefused(
                pmix,
                ClusterEnvironmentTest::root,
                "PMIX_RANK is set, but no variable names the host of node 0: --root HOST:PORT does");
    }

    @Test
    void podOfAJob_meetsAtThePodWithIndex0() {
        ClusterEnvironment task = task(KUBERNETES);

        assertEquals(1, task.rank());
        assertEquals("sor-0.sor:7000", root(task));
        assertEquals("sor-0.sor:9000", task.root(OptionalInt.of(9000)).toString());
        assertEquals(Optional.of("sor-1"), task.listenOfRoot());
    }

    @Test
    void podOfAnotherName_isNamed() {
        for (String name : new String[] {"desk", "-1", "sor-11"}) {
            assertRefused(
                    with(KUBERNETES, "HOSTNAME", name),
                    ClusterEnvironmentTest::root,
                    "HOSTNAME is '"
                            + name
                            + "', not the name of a job and -1; --root HOST:PORT overrides it");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SLURM_PROCID | x | SLURM_PROCID is 'x', not a number, 0 to 63; --id overrides it",
                "SLURM_PROCID | 64 | SLURM_PROCID is '64', not a number, 0 to 63;",
                "SLURM_PROCID | -1 | SLURM_PROCID is '-1', not a number, 0 to 63;",
                "SLURM_STEP_NUM_TASKS | 65 | SLURM_STEP_NUM_TASKS is '65', not a number, 1 to 64;",
                "SLURM_STEP_NUM_TASKS | 0 | SLURM_STEP_NUM_TASKS is '0', not a number, 1 to 64;",
                "SLURM_STEP_NUM_NODES | 0 | SLURM_STEP_NUM_NODES is '0', not a number, 1 or more;",
                "SLURM_STEP_NODELIST | [ | SLURM_STEP_NODELIST is '[', not a list of hosts; --root",
                "SLURM_JOB_ID | a | SLURM_JOB_ID is 'a', not a number; --root HOST:PORT overrides"
            })
    void valueThatCannotBe_isNamedWithItsVariable(String variable, String value, String expected) {
        assertRefused(with(SLURM, variable, value), ClusterEnvironmentTest::readAll, expected);
    }

    /** Of a batch script that is started without srun, Slurm sets the rank, but not the size. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SLURM_STEP_NUM_TASKS | SLURM_PROCID is set, but not SLURM_STEP_NUM_TASKS: this is"
                        + " no task of a step; start it with srun, or give --nodes",
                "SLURM_STEP_NODELIST | SLURM_PROCID is set, but not SLURM_STEP_NODELIST, which is"
                        + " needed without --root HOST:PORT",
                "SLURM_JOB_ID | SLURM_PROCID is set, but not SLURM_JOB_ID, which is needed without"
            })
    void variableThatIsMissing_isNamed(String variable, String expected) {
        Map<String, String> fewer = new TreeMap<>(SLURM);
        fewer.remove(variable);

        assertRefused(fewer, ClusterEnvironmentTest::readAll, expected);
    }

    private static void readAll(ClusterEnvironment task) {
        assertTrue(task.rank() + task.size() > 0);
        assertFalse(root(task).isEmpty());
    }

    private static void assertRefused(
            Map<String, String> variables, Consumer<ClusterEnvironment> read, String expected) {
        ClusterEnvironment task = task(variables);
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> read.accept(task));
        assertTrue(refused.getMessage().startsWith(expected), refused.getMessage());
    }

    private static String root(ClusterEnvironment task) {
        return task.root(OptionalInt.empty()).toString();
    }

    private static ClusterEnvironment task(Map<String, String> variables) {
        return ClusterEnvironment.of(variables).orElseThrow();
    }

    private static Map<String, String> with(
            Map<String, String> variables, String variable, String value) {
        Map<String, String> changed = new TreeMap<>(variables);
        changed.put(variable, value);
        return changed;
    }
}
