package io.muninn.launch;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.launch.cluster.Manifests;
import io.muninn.launch.option.ForwardedOptions;
import io.muninn.launch.option.NodeOptions;
import io.muninn.launch.option.Programs;
import io.muninn.launch.option.Ranges;
import io.muninn.launch.process.SecretFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dsm k8s}: prints the manifests of a run on Kubernetes, and starts nothing. */
@Command(
        name = "k8s",
        description =
                "Prints manifests of a run on Kubernetes: a Secret, a headless Service and an"
                        + " Indexed Job.",
        customSynopsis = {
            "dsm k8s --image IMAGE [-n NODES] [options] PROGRAM [program options]",
            "       dsm k8s --image IMAGE [-n NODES] [options] --class-path JAR CLASS [program"
                    + " options]"
        },
        footer = {
            "",
            "The Secret has a new random secret each time. Paths are those in the image. As in:",
            "    dsm k8s --image registry.example.org/muninn -n 4 sor | kubectl apply -f -"
        },
        mixinStandardHelpOptions = true)
final class KubernetesCommand implements Callable<Integer> {
    private static final String NODES = "--nodes";
    private static final String IMAGE = "--image";
    private static final String NAME = "--name";
    private static final String DSM = "--dsm";

    @Spec private CommandSpec spec;

    @Option(
            names = {"-n", NODES},
            paramLabel = "NODES",
            defaultValue = "2",
            description = "nodes, each a pod (default: ${DEFAULT-VALUE})")
    private int nodes;

    @Option(
            names = IMAGE,
            paramLabel = "IMAGE",
            required = true,
            description = "has a JDK, a build of Muninn and the program")
    private String image = "";

    @Option(
            names = NAME,
            paramLabel = "NAME",
            description =
                    "of the job and all that belongs to it (default: one made of the program's)")
    private @Nullable String name; // null for one of the program

    @Option(
            names = DSM,
            paramLabel = "PATH",
            defaultValue = "/muninn/dsm",
            description = "where the script is in the image (default: ${DEFAULT-VALUE})")
    private Path dsm = Path.of("");

    @Mixin private NodeOptions options = new NodeOptions();

    @Parameters(arity = "0..*", hidden = true)
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(manifests(Programs.installed()).toYaml());
        spec.commandLine().getOut().flush();
        return ExitStatus.OK;
    }

    /**
     * Converts the command line to manifests with a new secret. Only what does not depend on the
     * image is checked.
     *
     * @throws ParameterException if it is invalid
     */
    Manifests manifests(Programs programs) {
        try {
            Ranges.requireLive("-n", nodes);
            if (words.isEmpty() || options.isOfBuiltIn()) {
                options.checkProgram(programs, words, nodes);
            } else {
                options.requireAbsoluteClassPath();
            }
            List<String> all =
                    ForwardedOptions.words(
                            spec.commandLine().getParseResult(), Set.of(NODES, IMAGE, NAME, DSM));
            all.addAll(words);
            String job = name == null ? Manifests.nameOf(words.getFirst()) : name;
            return new Manifests(job, nodes, image, dsm, SecretFile.random(), all);
        } catch (IllegalArgumentException unusable) {
            throw new ParameterException(spec.commandLine(), unusable.getMessage(), unusable);
        }
    }
}
