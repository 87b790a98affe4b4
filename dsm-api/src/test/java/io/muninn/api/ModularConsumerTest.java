package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A module that requires this one compiles with Maven's dependencies of this one, and no more. */
class ModularConsumerTest {
    private static final String MODULE = "module consumer { requires io.muninn.api; }";

    private static final String PROGRAM =
            """
            package consumer;

            import io.muninn.api.DsmException;
            import io.muninn.api.DsmNode;
            import io.muninn.api.DsmProgram;
            import io.muninn.api.LongArray;
            import io.muninn.api.Protocol;
            import io.muninn.api.Shared;
            import io.muninn.api.Verdict;

            /** Declares, allocates, throws. */
            final class Consumer implements DsmProgram {
                @Shared(Protocol.WRITE_SHARED)
                private final LongArray words = LongArray.of(4);

                @Override
                public void run(DsmNode node) {
                    node.allocate("more", LongArray.of(8), Protocol.CONVENTIONAL).set(0, 1);
                    if (words.get(0) != 0) {
                        throw new DsmException("not zero", null);
                    }
                }

                @Override
                public Verdict verify(DsmNode root) {
                    return Verdict.right("zero");
                }
            }
            """;

    @Test
    void moduleThatRequiresOnlyTheApi_compilesWithoutAWarning(@TempDir Path folder)
            throws IOException, URISyntaxException {
        URI classes = DsmProgram.class.getProtectionDomain().getCodeSource().getLocation().toURI();
        Path module = Files.writeString(folder.resolve("module-info.java"), MODULE);
        Path program = Files.writeString(folder.resolve("Consumer.java"), PROGRAM);
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);

        int status =
                ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(
                                out,
                                out,
                                "-Xlint:all",
                                "-Werror",
                                "--module-path",
                                Path.of(classes).toString(),
                                "-d",
                                folder.resolve("out").toString(),
                                module.toString(),
                                program.toString());

        assertEquals("", said.toString());
        assertEquals(0, status);
    }
}
