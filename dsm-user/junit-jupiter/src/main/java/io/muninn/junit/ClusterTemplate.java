package io.muninn.junit;

import io.muninn.api.DsmException;
import io.muninn.api.DsmProgram;
import io.muninn.api.LocalCluster;
import io.muninn.api.Verdict;
import io.muninn.launch.process.ScratchFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Calls a test method with a cluster of processes, see {@link Cluster}. */
final class ClusterTemplate implements TestTemplateInvocationContextProvider {
    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return context.getRequiredTestMethod().isAnnotationPresent(Cluster.class);
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
            ExtensionContext context) {
        Cluster wanted = context.getRequiredTestMethod().getAnnotation(Cluster.class);
        LocalCluster cluster = LocalCluster.of(wanted.nodes()).options(wanted.options());
        return Stream.of(
                new Invocation(
                        wanted.nodes() + " nodes",
                        (program, words) -> run(cluster, program, words)));
    }

    private static Verdict run(
            LocalCluster cluster, Class<? extends DsmProgram> program, String... words) {
        try (ScratchFolder folder = new ScratchFolder()) {
            Path output = folder.newFile(".output");
            try {
                Verdict verdict = cluster.output(output).run(program, words);
                String text = text(output);
                if (verdict.checked() && !verdict.right()) {
                    throw new AssertionError("wrong result: " + verdict.detail() + "\n" + text);
                }
                System.out.print(text);
                return verdict;
            } catch (DsmException failed) {
                throw new AssertionError(failed.getMessage() + "\n" + text(output), failed);
            }
        } catch (IOException cannot) {
            throw new UncheckedIOException(cannot);
        }
    }

    private static String text(Path output) throws IOException {
        return Files.exists(output)
                ? new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
                : "";
    }
}
