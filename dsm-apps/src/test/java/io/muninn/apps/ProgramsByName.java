package io.muninn.apps;

import io.muninn.api.spi.BuiltInProgram;
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
}
