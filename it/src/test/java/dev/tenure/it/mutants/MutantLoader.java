package dev.tenure.it.mutants;

import java.io.IOException;
import java.util.Map;
import java.util.function.Function;

/// Loads core, kit and scenarios anew, some of their classes replaced, so that mutants do not meet each other.
final class MutantLoader extends ClassLoader {
    private static final String OURS = "dev.tenure.";

    private final Map<String, byte[]> replaced;

    MutantLoader(Map<String, byte[]> replaced) {
        super("mutant", MutantLoader.class.getClassLoader());
        this.replaced = replaced;
    }

    /// The scenarios over the replaced classes.
    ///
    /// @return takes a scenario's name, gives one line for each failure: the oracle's number, a blank, what it saw
    @SuppressWarnings("unchecked") // MutantScenarios implements it
    Function<String, String> scenarios() {
        try {
            return (Function<String, String>) loadClass("dev.tenure.it.mutants.MutantScenarios")
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("MutantScenarios", e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (!name.startsWith(OURS)) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            return known != null ? known : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = replaced.get(name);
        if (bytes == null) {
            try (var in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                bytes = in.readAllBytes();
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
        return defineClass(name, bytes, 0, bytes.length);
    }
}
