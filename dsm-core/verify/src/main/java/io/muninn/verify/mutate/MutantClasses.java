package io.muninn.verify.mutate;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/**
 * A copy of the project's classes, some of them changed. Classes of the API and the model are
 * shared with the loader's parent. All others are loaded anew, so that every class that uses a
 * changed class is a copy, too.
 */
public final class MutantClasses extends ClassLoader {
    private static final String OURS = "io.muninn.";
    private static final List<String> SHARED = List.of("io.muninn.api.", "io.muninn.model.");

    private final Map<String, byte[]> changed;

    /**
     * @param changed changed classes by name
     */
    public MutantClasses(ClassLoader parent, Map<String, byte[]> changed) {
        super(parent);
        this.changed = Map.copyOf(changed);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean ours = name.startsWith(OURS) && SHARED.stream().noneMatch(name::startsWith);
        if (!ours) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = changed.containsKey(name) ? changed.get(name) : original(name);
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] original(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException cause) {
            throw new ClassNotFoundException(name, cause);
        }
    }
}
