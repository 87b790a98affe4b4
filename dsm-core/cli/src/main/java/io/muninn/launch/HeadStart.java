package io.muninn.launch;

import java.lang.reflect.AnnotatedElement;
import java.util.List;
import picocli.CommandLine.Mixin;

/**
 * What a launcher will need whatever its options are, made ready by a thread of its own while the
 * main thread reads the options: until the first agent is started, nobody else needs the other
 * processors. It leaves nothing behind but what the JVM keeps: classes that are loaded, and those
 * that it makes of annotations.
 */
final class HeadStart {
    private HeadStart() {}

    /** For {@code dsm run}; returns at once. */
    static void ofRun() {
        Thread.ofPlatform().name("muninn-head-start").daemon().start(HeadStart::prepareRun);
    }

    private static void prepareRun() {
        readAnnotations(NodeOptions.class.getDeclaredFields());
        readAnnotations(RunCommand.class.getDeclaredFields());
        JvmFlags.agent(List.of());
        RunTag.random();
        MachineMemory.bytes();
    }

    /** The first time, each of another kind becomes a class. */
    private static void readAnnotations(AnnotatedElement[] elements) {
        for (AnnotatedElement element : elements) {
            element.isAnnotationPresent(Mixin.class);
        }
    }
}
