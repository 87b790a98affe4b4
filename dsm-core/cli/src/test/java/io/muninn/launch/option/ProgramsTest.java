package io.muninn.launch.option;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's checks of a class before it starts a node. */
class ProgramsTest {
    static final class Own implements DsmProgram {
        @Override
        public void run(DsmNode node) {}
    }

    abstract static class Unfinished implements DsmProgram {}

    @TempDir private Path folder;

    private String refusal(String name) {
        return assertThrows(
                        IllegalArgumentException.class, () -> Programs.own(name, List.of(folder)))
                .getMessage();
    }

    @Test
    void programOfAnyNameInSource_isAccepted() {
        assertDoesNotThrow(() -> Programs.own(Own.class.getName(), List.of(folder)));
        assertDoesNotThrow(() -> Programs.own(Own.class.getCanonicalName(), List.of(folder)));
    }

    @Test
    void otherClasses_areRefused() {
        String name = Unfinished.class.getName();

        assertEquals("class " + name + " is abstract; name a class that extends it", refusal(name));
        assertEquals(
                "there is no class NoSuch on the class path [" + folder + "]", refusal("NoSuch"));
    }

    /** The application may have options without which the class cannot be loaded. */
    @Test
    void classThatThisJvmCannotLoad_isLeftToTheApplication() throws IOException {
        Files.write(folder.resolve("Future.class"), new byte[] {1, 2, 3});

        assertDoesNotThrow(() -> Programs.own("Future", List.of(folder)));
    }
}
