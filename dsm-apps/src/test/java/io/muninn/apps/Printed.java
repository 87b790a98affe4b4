package io.muninn.apps;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The standard output of a program; for tests that run alone. */
final class Printed {
    private Printed() {}

    /** The run of a program. */
    interface Run {
        void run() throws Exception;
    }

    /** The output of a run, without white space around it. */
    static String by(Run run) throws Exception {
        PrintStream usual = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            run.run();
        } finally {
            System.setOut(usual);
        }
        return bytes.toString(StandardCharsets.UTF_8).strip();
    }
}
