package dev.tenure.it.mutants;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ClassDesc;
import java.util.function.Consumer;

/// One change of a method's code: takes an element, and either writes something else or says that it is not its affair.
@FunctionalInterface
interface Edit {
    /// Writes something else in an element's place, or nothing at all.
    ///
    /// @return whether it did
    boolean replaced(CodeBuilder code, CodeElement element);

    /// The calls of a method vanish; where they gave a result, it is 0, false or null.
    static Edit without(String owner, String method) {
        return answering(owner, method, 0);
    }

    /// The calls of a method vanish, and this is their result.
    static Edit answering(String owner, String method, int result) {
        return (code, element) -> {
            if (!isCall(element, owner, method)) {
                return false;
            }
            var call = (InvokeInstruction) element;
            var type = call.typeSymbol();
            for (int i = type.parameterCount() - 1; i >= 0; i--) {
                pop(code, type.parameterType(i));
            }
            if (call.opcode() != Opcode.INVOKESTATIC) {
                code.pop();
            }
            push(code, type.returnType(), result);
            return true;
        };
    }

    /// After the calls of a method comes something more.
    static Edit after(String owner, String method, Consumer<CodeBuilder> more) {
        return (code, element) -> {
            if (!isCall(element, owner, method)) {
                return false;
            }
            code.with(element);
            more.accept(code);
            return true;
        };
    }

    /// A field of type int or boolean is read as this.
    static Edit reading(String field, int value) {
        return (code, element) -> {
            if (element instanceof FieldInstruction read
                    && read.opcode() == Opcode.GETFIELD
                    && read.name().equalsString(field)) {
                code.pop().loadConstant(value);
                return true;
            }
            return false;
        };
    }

    /// An argument of type int or boolean is taken to be this.
    static Edit taking(int slot, int value) {
        return (code, element) -> {
            if (element instanceof LoadInstruction load && load.typeKind() == TypeKind.INT && load.slot() == slot) {
                code.loadConstant(value);
                return true;
            }
            return false;
        };
    }

    /// After a field was read comes something more.
    static Edit afterReading(String field, Consumer<CodeBuilder> more) {
        return (code, element) -> {
            boolean isRead = element instanceof FieldInstruction read
                    && (read.opcode() == Opcode.GETFIELD || read.opcode() == Opcode.GETSTATIC)
                    && read.name().equalsString(field);
            if (isRead) {
                code.with(element);
                more.accept(code);
            }
            return isRead;
        };
    }

    /// Before an object is made comes something more.
    static Edit beforeMaking(String type, Consumer<CodeBuilder> more) {
        return (code, element) -> {
            boolean isMade = element instanceof NewObjectInstruction made
                    && made.className().asInternalName().endsWith(type);
            if (isMade) {
                more.accept(code);
                code.with(element);
            }
            return isMade;
        };
    }

    /// Something else stands for the calls of a method.
    static Edit instead(String owner, String method, Consumer<CodeBuilder> other) {
        return (code, element) -> {
            boolean isIt = isCall(element, owner, method);
            if (isIt) {
                other.accept(code);
            }
            return isIt;
        };
    }

    /// A number stands where another did.
    static Edit number(int from, int to) {
        return (code, element) -> {
            if (element instanceof ConstantInstruction push
                    && push.constantValue().equals(from)) {
                code.loadConstant(to);
                return true;
            }
            return false;
        };
    }

    /// Handlers of `Throwable` catch `Exception` alone.
    static Edit catchingExceptions() {
        return (code, element) -> {
            if (element instanceof ExceptionCatch handler
                    && handler.catchType()
                            .filter(type -> type.asInternalName().equals("java/lang/Throwable"))
                            .isPresent()) {
                code.exceptionCatch(
                        handler.tryStart(), handler.tryEnd(), handler.handler(), ClassDesc.of("java.lang.Exception"));
                return true;
            }
            return false;
        };
    }

    /// Both changes, in one method.
    default Edit and(Edit other) {
        return (code, element) -> replaced(code, element) || other.replaced(code, element);
    }

    private static boolean isCall(CodeElement element, String owner, String method) {
        return element instanceof InvokeInstruction call
                && call.name().equalsString(method)
                && call.owner().asInternalName().endsWith("/" + owner);
    }

    private static void pop(CodeBuilder code, ClassDesc type) {
        if (TypeKind.from(type).slotSize() == 2) {
            code.pop2();
        } else {
            code.pop();
        }
    }

    private static void push(CodeBuilder code, ClassDesc type, int value) {
        switch (TypeKind.from(type)) {
            case VOID -> {}
            case REFERENCE -> code.aconst_null();
            case LONG -> code.loadConstant((long) value);
            default -> code.loadConstant(value);
        }
    }
}
