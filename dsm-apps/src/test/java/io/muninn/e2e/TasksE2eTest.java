package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code dsm node} as a task of Slurm, Open MPI or Kubernetes, which tells it its place. */
@Tag("e2e")
class TasksE2eTest {
    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final String SECRET = "what all nodes of this run share";
    private static final Path MPIRUN = Path.of("/usr/bin/mpirun");

    /** The tasks do not meet those of another run of this test. */
    private final String job = Long.toString(UUID.randomUUID().getLeastSignificantBits() >>> 20);

    @Test
    void tasksOfSlurm_areOneRun() throws InterruptedException {
        assertAreOneRun(
                rank ->
                        Map.of(
                                "SLURM_PROCID", Integer.toString(rank),
                                "SLURM_STEP_NUM_TASKS", "2",
                                "SLURM_STEP_NUM_NODES", "1",
                                "SLURM_STEP_NODELIST", "localhost",
                                "SLURM_JOB_ID", job,
                                "SLURM_STEP_ID", "0"),
                "");
    }

    /** As on several hosts, which have one name here. */
    @Tag("slow")
    @Test
    void tasksOfSlurmOnSeveralHosts_meetByTcp() throws InterruptedException {
        assertAreOneRun(
                rank ->
                        Map.of(
                                "SLURM_PROCID", Integer.toString(rank),
                                "SLURM_STEP_NUM_TASKS", "2",
                                "SLURM_STEP_NUM_NODES", "2",
                                "SLURM_STEP_NODELIST", "localhost,other",
                                "SLURM_JOB_ID", job,
                                "SLURM_STEP_ID", "0"),
                "--port " + Nodes.freePort() + " ");
    }

    @Tag("slow")
    @Test
    void tasksOfOpenMpi_areOneRun() throws InterruptedException {
        assertAreOneRun(
                rank ->
                        Map.of(
                                "OMPI_COMM_WORLD_RANK",
                                Integer.toString(rank),
                                "OMPI_COMM_WORLD_SIZE",
                                "2",
                                "OMPI_COMM_WORLD_LOCAL_SIZE",
                                "2",
                                "PMIX_NAMESPACE",
                                job),
                "");
    }

    /** The variables of one task. */
    private interface Task {
        Map<String, String> variables(int rank);
    }

    private static void assertAreOneRun(Task task, String options) throws InterruptedException {
        List<DsmRun> runs = new ArrayList<>();
        try {
            for (int rank = 0; rank < 2; rank++) {
                runs.add(start(task.variables(rank), DsmRun.QUICK + options + "--no-table hello"));
            }
            runs.get(1).await().assertStatus(0);
            assertEquals("", runs.get(0).await().assertStatus(0).assertOut("verified").err());
        } finally {
            runs.forEach(DsmRun::close);
        }
    }

    private static DsmRun start(Map<String, String> variables, String options) {
        Map<String, String> all = new TreeMap<>(variables);
        all.put("MUNINN_SECRET", SECRET);
        List<String> line = new ArrayList<>(List.of("node"));
        line.addAll(DsmRun.words(options));
        return DsmRun.start(line, all, List.of());
    }

    /** The agent has the secret; its application, a shell here, has not. */
    @Tag("slow")
    @Test
    void secretOfTheEnvironment_isHiddenFromTheApplication() throws InterruptedException {
        Map<String, String> only = Map.of("PMIX_RANK", "0", "MUNINN_SECRET", SECRET);
        List<String> line =
                List.of(
                        "node",
                        "--nodes=1",
                        "--root=unix:@muninn-test-" + job,
                        "--",
                        "/bin/sh",
                        "-c",
                        "exit ${MUNINN_SECRET:+9}");
        try (DsmRun run = DsmRun.start(line, only, List.of())) {
            run.await()
                    .assertStatus(FAILED)
                    .assertErr("the application ended with status 0 before it had joined");
        }
    }

    @Test
    void variableThatIsMissing_isNamedInOneLine() throws InterruptedException {
        Map<String, String> task = Map.of("SLURM_PROCID", "7", "SLURM_STEP_NUM_TASKS", "2");
        try (DsmRun run = DsmRun.start(List.of("node", "hello"), task, List.of())) {
            assertEquals(
                    "dsm node: SLURM_PROCID is set, but not SLURM_JOB_ID, which is needed without"
                            + " --root HOST:PORT\n",
                    run.await().assertStatus(USAGE).err());
        }
    }

    @Tag("slow")
    @Test
    void mpirun_startsARun() throws InterruptedException {
        assumeTrue(Files.isExecutable(MPIRUN), "Open MPI is not installed");
        List<String> prefix =
                List.of(
                        MPIRUN.toString(),
                        "--allow-run-as-root",
                        "--oversubscribe",
                        "--bind-to",
                        "none",
                        "-n",
                        "4");
        List<String> line = new ArrayList<>(List.of("node"));
        line.addAll(DsmRun.words(DsmRun.QUICK + "diff --rows 64 --columns 64 --sweeps 3"));
        try (DsmRun run = DsmRun.start(line, Map.of("MUNINN_SECRET", SECRET), prefix)) {
            run.await().assertStatus(0).assertOut("4 nodes of 1 thread").assertOut("verified");
        }
    }
}
