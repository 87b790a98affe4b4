package io.muninn.launch.jvm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.launch.cluster.ClusterEnvironment;
import io.muninn.launch.cluster.HostList;
import io.muninn.launch.process.SecretFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a launcher and an agent read before a run, altered: a list of hosts, the variables of a
 * task, a secret, and the configuration from the launcher. Each is read, or refused as its parser
 * documents.
 */
class ForeignTextsTest {
    private static final int FEW = 5_000;
    private static final int MANY = 1_000_000;

    /** Reads an input. */
    @FunctionalInterface
    private interface Parser {
        void parse(byte[] input) throws IOException;
    }

    private static void feed(
            int inputs, List<byte[]> valid, Class<? extends Exception> refusal, Parser parser) {
        SplittableRandom random = new SplittableRandom(56);
        int refused = 0;
        for (int i = 0; i < inputs; i++) {
            byte[] input = changed(valid.get(i % valid.size()), random);
            try {
                parser.parse(input);
            } catch (Exception | Error thrown) {
                if (!refusal.isInstance(thrown)) {
                    throw new AssertionError("input " + i + ": " + Arrays.toString(input), thrown);
                }
                refused++;
            }
        }
        assertTrue(refused > 0 && refused < inputs, refused + " of " + inputs + " were refused");
    }

    /** Changes up to four bytes, and sometimes cuts off the end or adds noise. */
    private static byte[] changed(byte[] valid, SplittableRandom random) {
        int length = random.nextInt(4) == 0 ? random.nextInt(valid.length + 20) : valid.length;
        byte[] bytes = Arrays.copyOf(valid, length);
        for (int i = random.nextInt(5); i > 0 && length > 0; i--) {
            int any = random.nextInt(3) == 0 ? random.nextInt(256) : "-,:[]@09 \n".charAt(i);
            bytes[random.nextInt(length)] = (byte) any;
        }
        return bytes;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static void feedAll(int inputs) {
        feed(
                inputs,
                List.of(bytes("a,user@b:2,[fd00::2]:3"), bytes("node7")),
                IllegalArgumentException.class,
                input -> {
                    HostList hosts = HostList.parse(text(input));
                    assertTrue(hosts.nodes() >= hosts.nodesMost(), hosts::toString);
                });
        feed(
                inputs,
                List.of(bytes("a secret of many bytes\n"), bytes("0123456789abcdef0123456789")),
                IllegalArgumentException.class,
                input -> SecretFile.read("-", new ByteArrayInputStream(input)));
        feed(
                inputs,
                List.of(
                        bytes("SLURM 2 4 2 node[07-08] 421 0"),
                        bytes("SLURM 0 8 1 rack[1-2]n[07,09],login 7 3")),
                IllegalArgumentException.class,
                input -> task(text(input).split(" ", -1)));
        feed(
                inputs,
                List.of(
                        ConfigBytes.encode(ConfigBytesTest.FULL),
                        ConfigBytes.encode(ConfigBytesTest.SPARE)),
                IOException.class,
                input -> ConfigBytes.read(new ByteArrayInputStream(input)));
    }

    private static void task(String... words) {
        List<String> names =
                List.of(
                        "SLURM_PROCID",
                        "SLURM_STEP_NUM_TASKS",
                        "SLURM_STEP_NUM_NODES",
                        "SLURM_STEP_NODELIST",
                        "SLURM_JOB_ID",
                        "SLURM_STEP_ID");
        Map<String, String> variables = new HashMap<>(Map.of("SLURM_PROCID", ""));
        for (int i = 1; i < words.length && i <= names.size(); i++) {
            variables.put(names.get(i - 1), words[i]);
        }
        ClusterEnvironment task = ClusterEnvironment.of(variables).orElseThrow();
        assertTrue(task.rank() >= 0 && task.size() > 0, task.rankVariable());
        assertTrue(!task.root(OptionalInt.empty()).toString().isEmpty());
    }

    @Test
    void whatIsReadBeforeARun_isReadOrRefused() {
        feedAll(FEW);
    }

    @Test
    @Tag("slow")
    void aMillionOfEach_areReadOrRefused() {
        feedAll(MANY);
    }
}
