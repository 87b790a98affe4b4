package io.muninn.launch;

import io.muninn.api.spi.BuiltInProgram;
import io.muninn.application.ApplicationMain;
import java.util.List;
import java.util.ServiceLoader;

/**
 * The application that {@link StartTraining} records: one of those that run, which has loaded all
 * programs before, so that the cache has the classes of each.
 */
final class TrainedApplication {
    private TrainedApplication() {}

    public static void main(String[] arguments) {
        for (BuiltInProgram program : ServiceLoader.load(BuiltInProgram.class)) {
            load(program);
        }
        ApplicationMain.main(arguments);
    }

    private static void load(BuiltInProgram program) {
        try {
            program.create(List.of());
        } catch (IllegalArgumentException needsOptions) {
            return; // most of its classes are loaded by now
        }
    }
}
