package io.muninn.launch.cluster;

import com.google.gson.GsonBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The manifests of a run on Kubernetes: a Secret, a headless Service by which pods find each other,
 * and an Indexed Job of which each pod is one node. All have the name of the job, so a pod can tell
 * where the root is from its own name ({@link ClusterEnvironment}). A lost node ends the run, so
 * the job starts no pod again.
 *
 * @param name a label of DNS
 * @param nodes pods of the job
 * @param image has Muninn, and the program
 * @param dsm where the script is in the image
 * @param secret shared by the nodes
 * @param words options of {@code dsm node}, the program and its options
 */
public record Manifests(
        String name, int nodes, String image, Path dsm, String secret, List<String> words) {
    private static final String FOLDER = "/run/secrets/muninn";
    private static final String FILE = "secret";

    /** A pod's name is that of the job, a hyphen and an index, and has 63 characters at most. */
    private static final int NAME_LENGTH_MAX = 60;

    /** Only its owner can read it; in decimal, because YAML's octal numbers differ by version. */
    private static final int MODE = 0400;

    public Manifests {
        if (!name.matches("[a-z]([a-z0-9-]*[a-z0-9])?") || name.length() > NAME_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "'"
                            + name
                            + "' cannot name a job: --name takes up to "
                            + NAME_LENGTH_MAX
                            + " small letters, digits and hyphens, first a letter, last no hyphen");
        }
        if (!dsm.isAbsolute()) {
            throw new IllegalArgumentException(
                    "--dsm " + dsm + " is no absolute path in the image, as in /muninn/dsm");
        }
        words = List.copyOf(words);
    }

    /**
     * A name for the job of a program.
     *
     * @param program a built-in program, or a class with its packages
     */
    public static String nameOf(String program) {
        return program.substring(program.lastIndexOf('.') + 1)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-")
                .replaceAll("^[0-9-]+|-+$", "");
    }

    /** The manifests as one stream of YAML. */
    public String toYaml() {
        return String.format(
                Locale.ROOT,
                """
                apiVersion: v1
                kind: Secret
                metadata:
                  name: %1$s
                stringData:
                  %2$s: "%3$s"
                ---
                apiVersion: v1
                kind: Service
                metadata:
                  name: %1$s
                spec:
                  clusterIP: None
                  publishNotReadyAddresses: true
                  selector:
                    app.kubernetes.io/instance: %1$s
                  ports:
                    - name: muninn
                      port: %4$d
                ---
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: %1$s
                spec:
                  completionMode: Indexed
                  completions: %5$d
                  parallelism: %5$d
                  backoffLimit: 0
                  template:
                    metadata:
                      labels:
                        app.kubernetes.io/name: muninn
                        app.kubernetes.io/instance: %1$s
                    spec:
                      subdomain: %1$s
                      restartPolicy: Never
                      containers:
                        - name: node
                          image: %6$s
                          command: [%7$s, "node"]
                          args:
                %8$s
                          ports:
                            - containerPort: %4$d
                          volumeMounts:
                            - name: secret
                              mountPath: %9$s
                              readOnly: true
                      volumes:
                        - name: secret
                          secret:
                            secretName: %1$s
                            defaultMode: %10$d # %10$04o
                """,
                name,
                FILE,
                secret,
                ClusterEnvironment.KUBERNETES_PORT,
                nodes,
                quoted(image),
                quoted(dsm.toString()),
                arguments(),
                FOLDER,
                MODE);
    }

    private String arguments() {
        String own =
                argument("--nodes=" + nodes) + argument("--secret-file=" + FOLDER + "/" + FILE);
        return words.stream()
                .map(Manifests::argument)
                .collect(Collectors.joining("", own, ""))
                .stripTrailing();
    }

    /** Kubernetes would replace {@code $(NAME)}. */
    private static String argument(String word) {
        return " ".repeat(12) + "- " + quoted(word.replace("$(", "$$(")) + "\n";
    }

    /** A string of JSON is one of YAML. */
    private static String quoted(String word) {
        return new GsonBuilder().disableHtmlEscaping().create().toJson(word);
    }
}
