package dev.tenure.it.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.util.Set;

/// A class of the core with one error planted in one method, and who must see it.
///
/// @param name for the table
/// @param what is wrong, as a sentence
/// @param type the class, without its package
/// @param methods the names of the methods that are changed, with `|` between them
/// @param edit the change
/// @param scenario under which it is seen
/// @param oracle who sees it, 1 to 13
record Mutant(String name, String what, String type, String methods, Edit edit, String scenario, int oracle) {
    String className() {
        return "dev.tenure.core." + type;
    }

    /// The class file with the error in it.
    ///
    /// @throws AssertionError if the core has no such method any more, or the method no such step
    byte[] bytes() {
        byte[] original = original();
        var file = ClassFile.of();
        var model = file.parse(original);
        var names = Set.of(methods.split("\\|"));
        for (String method : names) {
            if (model.methods().stream().noneMatch(one -> one.methodName().equalsString(method))) {
                throw gone("has no method '%s' any more".formatted(method));
            }
        }
        var hits = new int[1];
        CodeTransform counting = (code, element) -> {
            if (edit.replaced(code, element)) {
                hits[0]++;
            } else {
                code.with(element);
            }
        };
        byte[] mutated = file.transformClass(
                model,
                ClassTransform.transformingMethodBodies(
                        one -> names.contains(one.methodName().stringValue()), counting));
        if (hits[0] == 0) {
            throw gone("'%s' has no longer the step that is broken".formatted(methods));
        }
        return mutated;
    }

    private AssertionError gone(String why) {
        return new AssertionError(
                "mutant '%s' (%s): %s %s: say in Mutants what breaks this now".formatted(name, what, className(), why));
    }

    private byte[] original() {
        String resource = className().replace('.', '/') + ".class";
        try (var in = Mutant.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new AssertionError("mutant '%s': the core has no class %s any more".formatted(name, className()));
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
