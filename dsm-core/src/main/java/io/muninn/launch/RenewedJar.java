package io.muninn.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Gives the old class files of a jar the version of today, with the stack maps that go with it; a
 * step of the build, before {@link StartTraining}. A JVM takes old ones into no cache: it reads,
 * and verifies at length, each that it needs, at every start.
 *
 * <pre>
 * RenewedJar JAR...     rewrites each where it is; one without old class files stays as it is
 * </pre>
 *
 * What the classes do stays the same. They are verified after.
 */
final class RenewedJar {
    /** The first version whose methods have stack maps. */
    private static final int MAPPED_VERSION = ClassFile.JAVA_6_VERSION;

    private static final String CLASS = ".class";

    private final ClassFile files;

    private RenewedJar(ClassHierarchyResolver resolver) {
        files =
                ClassFile.of(
                        StackMapsOption.GENERATE_STACK_MAPS,
                        ClassHierarchyResolverOption.of(resolver));
    }

    public static void main(String[] arguments) throws IOException {
        for (String jar : arguments) {
            renew(Path.of(jar));
        }
    }

    /**
     * Rewrites a jar if it has an old class file.
     *
     * @throws IOException if it cannot be read or written; it is as before then
     * @throws IllegalStateException if a class would not be verified
     */
    static void renew(Path jar) throws IOException {
        Path draft = jar.resolveSibling(jar.getFileName() + ".renewed");
        try (JarFile old = new JarFile(jar.toFile())) {
            List<JarEntry> entries = Collections.list(old.entries());
            RenewedJar renewed = new RenewedJar(resolver(old));
            if (!renewed.hasOld(old, entries)) {
                return;
            }
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(draft))) {
                for (JarEntry entry : entries) {
                    JarEntry same = new JarEntry(entry.getName());
                    same.setTime(entry.getTime());
                    out.putNextEntry(same);
                    out.write(renewed.content(old, entry));
                    out.closeEntry();
                }
            }
            Files.move(
                    draft,
                    jar,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private boolean hasOld(JarFile jar, List<JarEntry> entries) throws IOException {
        for (JarEntry entry : entries) {
            if (entry.getName().endsWith(CLASS) && isOld(files.parse(bytes(jar, entry)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOld(ClassModel type) {
        return type.majorVersion() < MAPPED_VERSION;
    }

    private byte[] content(JarFile jar, JarEntry entry) throws IOException {
        byte[] bytes = bytes(jar, entry);
        if (!entry.getName().endsWith(CLASS)) {
            return bytes;
        }
        ClassModel type = files.parse(bytes);
        return isOld(type) ? renewed(type) : bytes;
    }

    private byte[] renewed(ClassModel type) {
        ClassFileVersion today = ClassFileVersion.of(ClassFile.latestMajorVersion(), 0);
        // Code is taken apart and put together again: stack maps are made of what is put together.
        ClassTransform transform =
                ClassTransform.transformingMethodBodies((code, element) -> code.with(element))
                        .andThen((whole, element) ->
                                whole.with(element instanceof ClassFileVersion ? today : element));
        byte[] bytes = files.transformClass(type, transform);
        List<VerifyError> errors = files.verify(bytes);
        if (!errors.isEmpty()) {
            throw new IllegalStateException(
                    type.thisClass().asInternalName() + " cannot be renewed: " + errors);
        }
        return bytes;
    }

    /** Of the jar's classes and of the JDK's. */
    private static ClassHierarchyResolver resolver(JarFile jar) {
        return ClassHierarchyResolver.ofResourceParsing(
                        type -> {
                            String descriptor = type.descriptorString();
                            String name = descriptor.substring(1, descriptor.length() - 1) + CLASS;
                            return open(jar, name);
                        })
                .orElse(ClassHierarchyResolver.defaultResolver())
                .cached();
    }

    /** Null for a class of another jar. */
    private static @Nullable InputStream open(JarFile jar, String name) {
        JarEntry entry = jar.getJarEntry(name);
        try {
            return entry == null ? null : jar.getInputStream(entry);
        } catch (IOException cause) {
            throw new UncheckedIOException("cannot read " + name, cause);
        }
    }

    private static byte[] bytes(JarFile jar, JarEntry entry) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }
}
