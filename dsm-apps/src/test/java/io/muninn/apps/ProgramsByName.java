package io.muninn.apps;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import java.util.List;
import java.util.ServiceLoader;

/** Built-in programs by name, as the command line finds them. */
final class ProgramsByName {
    private ProgramsByName() {}

    static BuiltInProgram named(String name) {
        return ServiceLoader.load(BuiltInProgram.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(program -> program.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /**
     * A program with its options.
     *
     * @param words its name and its options, each after one blank
     */
    static DsmProgram program(String words) {
        List<String> all = List.of(words.split(" "));
        return named(all.getFirst()).create(all.subList(1, all.size()));
    }
}
