package io.muninn.verify.mutate;

import io.muninn.verify.mutate.Mutant.Kind;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the places of a class where a mutant can be made, and makes it. */
final class Mutator {
    /** Larger numbers are sizes and times: one more or less is correct, too. */
    static final int CONSTANT_MAX = 16;

    private static final ClassDesc FUEL = ClassDesc.of(Fuel.class.getName());
    private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(ConstantDescs.CD_void);
    private static final ClassDesc ACTIVE = ClassDesc.of(Active.class.getName());
    private static final ClassDesc REACH = ClassDesc.of(Reach.class.getName());
    private static final MethodTypeDesc LINE =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

    private static final ClassFile FILES =
            ClassFile.of(
                    ClassFile.ClassHierarchyResolverOption.of(
                            ClassHierarchyResolver.ofResourceParsing(Mutator.class.getClassLoader())
                                    .orElse(ClassHierarchyResolver.defaultResolver())));

    private static final Equivalents EQUIVALENT = Equivalents.read();

    private Mutator() {}

    /** All mutants of a class except equivalent ones, in the order of its code. */
    static List<Mutant> mutants(String className) {
        List<Mutant> found = all(className);
        found.removeIf(EQUIVALENT::has);
        return found;
    }

    /** All mutants of a class, including those that are listed as equivalent. */
    static List<Mutant> all(String className) {
        List<Mutant> found = new ArrayList<>();
        ClassModel model = FILES.parse(KernelClasses.read(className));
        for (MethodModel method : model.methods()) {
            if (method.code().isPresent() && !Excluded.isExcluded(model, method)) {
                find(className, method, method.code().get().elementList(), found);
            }
        }
        return found;
    }

    private static void find(
            String className, MethodModel method, List<CodeElement> code, List<Mutant> found) {
        BitSet changeable = Excluded.changeable(code);
        int line = 0;
        for (int i = 0; i < code.size(); i++) {
            if (code.get(i) instanceof LineNumber number) {
                line = number.line();
            }
            if (changeable.get(i)) {
                for (Kind kind : Kind.values()) {
                    int index = i;
                    int at = line;
                    detail(kind, method, code, i)
                            .ifPresent(text ->
                                    found.add(
                                            new Mutant(
                                                    className,
                                                    name(method),
                                                    index,
                                                    at,
                                                    kind,
                                                    text)));
                }
            }
        }
    }

    private static String name(MethodModel method) {
        return method.methodName().stringValue() + method.methodType().stringValue();
    }

    /** Describes the edit of a kind at an element; empty if there is none. */
    private static Optional<String> detail(
            Kind kind, MethodModel method, List<CodeElement> code, int index) {
        CodeElement element = code.get(index);
        boolean isConstructor = method.methodName().equalsString("<init>");
        return switch (kind) {
            case NEGATED_CONDITION ->
                    element instanceof BranchInstruction branch && negated(branch.opcode()) != null
                            ? Optional.of("")
                            : returnsBoolean(method) && element instanceof ReturnInstruction
                                    ? Optional.of("what is returned")
                                    : Optional.empty();
            case SHIFTED_BOUNDARY ->
                    element instanceof BranchInstruction branch
                                    && shifted(branch.opcode()) != null
                                    && !Excluded.isOfSizes(code, index)
                            ? Optional.of(branch.opcode() + " to " + shifted(branch.opcode()))
                            : Optional.empty();
            case CHANGED_CONSTANT -> constant(code, index);
            case REMOVED_CALL ->
                    element instanceof InvokeInstruction call && isRemovable(call, code, index)
                            ? Optional.of(call.owner().name().stringValue() + "." + call.name())
                            : Optional.empty();
            case REMOVED_ASSIGNMENT ->
                    element instanceof FieldInstruction field
                                    && field.opcode() == Opcode.PUTFIELD
                                    && !isConstructor
                            ? Optional.of(field.name().stringValue())
                            : Optional.empty();
            case EARLY_RETURN ->
                    element instanceof LineNumber
                                    && !isConstructor
                                    && isVoid(method)
                                    && !(Excluded.next(code, index) instanceof ReturnInstruction)
                            ? Optional.of("")
                            : Optional.empty();
        };
    }

    private static boolean returnsBoolean(MethodModel method) {
        return method.methodTypeSymbol().returnType().equals(ConstantDescs.CD_boolean);
    }

    private static boolean isVoid(MethodModel method) {
        return method.methodTypeSymbol().returnType().equals(ConstantDescs.CD_void);
    }

    private static Optional<String> constant(List<CodeElement> code, int index) {
        if (!(code.get(index) instanceof ConstantInstruction constant)
                || !(constant.constantValue() instanceof Number number)
                || constant.typeKind() != TypeKind.INT && constant.typeKind() != TypeKind.LONG
                || Math.abs(number.longValue()) > CONSTANT_MAX) {
            return Optional.empty();
        }
        boolean isLength =
                switch (Excluded.next(code, index)) {
                    case NewReferenceArrayInstruction _, NewPrimitiveArrayInstruction _ -> true;
                    case InvokeInstruction call ->
                            call.name().equalsString("<init>")
                                    && call.owner().asInternalName().startsWith("java/");
                    default -> false;
                };
        return isLength
                ? Optional.empty()
                : Optional.of(number + " to " + changed(number.longValue()));
    }

    /** Returns one more; for 1, which may mean true, one less. */
    private static long changed(long value) {
        return value == 1 ? 0 : value + 1;
    }

    private static boolean isRemovable(InvokeInstruction call, List<CodeElement> code, int index) {
        boolean isDropped =
                call.typeSymbol().returnType().equals(ConstantDescs.CD_void)
                        || Excluded.next(code, index) instanceof StackInstruction next
                                && (next.opcode() == Opcode.POP || next.opcode() == Opcode.POP2);
        return isDropped && !Excluded.isExcluded(call);
    }

    /**
     * Returns a class with the changes of all its mutants, of which {@link Active} selects one, or
     * none.
     *
     * @param mutants mutants of all classes; the number of each is its place in the list
     */
    static byte[] changed(String className, List<Mutant> mutants) {
        return transformed(
                className,
                method -> {
                    Changes changes = new Changes();
                    for (int i = 0; i < mutants.size(); i++) {
                        Mutant mutant = mutants.get(i);
                        if (mutant.className().equals(className)
                                && mutant.method().equals(name(method))) {
                            changes.add(mutant, i);
                        }
                    }
                    return changes;
                });
    }

    /** Returns a class that reports the lines that are {@linkplain Reach reached}. */
    static byte[] reporting(String className, Lines lines) {
        return transformed(
                className, method -> new Report(lines, Lines.key(className, name(method))));
    }

    private static byte[] transformed(String className, Function<MethodModel, Edit> edits) {
        ClassModel model = FILES.parse(KernelClasses.read(className));
        ClassTransform all =
                (builder, element) -> {
                    if (element instanceof MethodModel method && method.code().isPresent()) {
                        builder.transformMethod(
                                method,
                                MethodTransform.transformingCode(
                                        CodeTransform.ofStateful(() -> edits.apply(method))));
                    } else {
                        builder.with(element);
                    }
                };
        return FILES.transformClass(model, all);
    }

    /** Burns {@link Fuel} before every backward jump. */
    private static class Edit implements CodeTransform {
        private final Set<Label> passed = new HashSet<>();
        private int next;

        @Override
        public final void accept(CodeBuilder builder, CodeElement element) {
            if (element instanceof LabelTarget target) {
                passed.add(target.label());
            }
            if (element instanceof BranchInstruction branch && passed.contains(branch.target())) {
                builder.invokestatic(FUEL, "burn", NOTHING);
            }
            put(builder, element, next++);
        }

        void put(CodeBuilder builder, CodeElement element, int index) {
            builder.with(element);
        }
    }

    /** Reports each line. */
    private static final class Report extends Edit {
        private final Lines lines;
        private final String key;

        Report(Lines lines, String key) {
            this.lines = lines;
            this.key = key;
        }

        @Override
        void put(CodeBuilder builder, CodeElement element, int index) {
            builder.with(element);
            if (element instanceof LineNumber) {
                builder.loadConstant(lines.add(key, index));
                builder.invokestatic(REACH, "hit", LINE);
            }
        }
    }

    /** Applies the change of a mutant if it is active. */
    private static final class Changes extends Edit {
        private record Numbered(int number, Kind kind) {}

        private final Map<Integer, List<Numbered>> changes = new HashMap<>(); // by index

        void add(Mutant mutant, int number) {
            changes.computeIfAbsent(mutant.index(), _ -> new ArrayList<>())
                    .add(new Numbered(number, mutant.kind()));
        }

        @Override
        void put(CodeBuilder builder, CodeElement element, int index) {
            Label end = builder.newLabel();
            boolean isBefore = // the insertion precedes the element, and does not replace it
                    element instanceof LineNumber || element instanceof ReturnInstruction;
            if (element instanceof LineNumber) {
                builder.with(element);
            }
            for (Numbered each : changes.getOrDefault(index, List.of())) {
                Label otherwise = builder.newLabel();
                builder.getstatic(ACTIVE, "mutant", ConstantDescs.CD_int);
                builder.loadConstant(each.number()).if_icmpne(otherwise);
                change(builder, element, each.kind());
                if (!isBefore) {
                    builder.goto_(end);
                }
                builder.labelBinding(otherwise);
            }
            if (!(element instanceof LineNumber)) {
                builder.with(element);
            }
            builder.labelBinding(end);
        }

        private static void change(CodeBuilder builder, CodeElement element, Kind kind) {
            switch (kind) {
                case NEGATED_CONDITION -> {
                    if (element instanceof BranchInstruction branch) {
                        builder.branch(negated(branch.opcode()), branch.target());
                    } else {
                        builder.iconst_1().ixor();
                    }
                }
                case SHIFTED_BOUNDARY -> {
                    BranchInstruction branch = (BranchInstruction) element;
                    builder.branch(shifted(branch.opcode()), branch.target());
                }
                case CHANGED_CONSTANT -> {
                    ConstantInstruction constant = (ConstantInstruction) element;
                    long value = changed(((Number) constant.constantValue()).longValue());
                    if (constant.typeKind() == TypeKind.LONG) {
                        builder.loadConstant(value);
                    } else {
                        builder.loadConstant((int) value);
                    }
                }
                case REMOVED_CALL -> drop(builder, (InvokeInstruction) element);
                case REMOVED_ASSIGNMENT -> {
                    pop(builder, ((FieldInstruction) element).typeSymbol());
                    builder.pop();
                }
                case EARLY_RETURN -> builder.return_();
            }
        }

        private static void drop(CodeBuilder builder, InvokeInstruction call) {
            MethodTypeDesc type = call.typeSymbol();
            for (int i = type.parameterCount() - 1; i >= 0; i--) {
                pop(builder, type.parameterType(i));
            }
            if (call.opcode() != Opcode.INVOKESTATIC) {
                builder.pop();
            }
            switch (TypeKind.from(type.returnType()).asLoadable()) { // a result for the caller
                case VOID -> {}
                case LONG -> builder.lconst_0();
                case DOUBLE -> builder.dconst_0();
                case FLOAT -> builder.fconst_0();
                case REFERENCE -> builder.aconst_null();
                default -> builder.iconst_0();
            }
        }

        private static void pop(CodeBuilder builder, ClassDesc type) {
            if (TypeKind.from(type).slotSize() == 2) {
                builder.pop2();
            } else {
                builder.pop();
            }
        }
    }

    /** The opposite branch; null if there is none. */
    private static @Nullable Opcode negated(Opcode opcode) {
        return switch (opcode) {
            case IFEQ -> Opcode.IFNE;
            case IFNE -> Opcode.IFEQ;
            case IFLT -> Opcode.IFGE;
            case IFGE -> Opcode.IFLT;
            case IFGT -> Opcode.IFLE;
            case IFLE -> Opcode.IFGT;
            case IF_ICMPEQ -> Opcode.IF_ICMPNE;
            case IF_ICMPNE -> Opcode.IF_ICMPEQ;
            case IF_ICMPLT -> Opcode.IF_ICMPGE;
            case IF_ICMPGE -> Opcode.IF_ICMPLT;
            case IF_ICMPGT -> Opcode.IF_ICMPLE;
            case IF_ICMPLE -> Opcode.IF_ICMPGT;
            case IF_ACMPEQ -> Opcode.IF_ACMPNE;
            case IF_ACMPNE -> Opcode.IF_ACMPEQ;
            case IFNULL -> Opcode.IFNONNULL;
            case IFNONNULL -> Opcode.IFNULL;
            default -> null;
        };
    }

    /** The branch with the other result at the boundary; null if there is none. */
    private static @Nullable Opcode shifted(Opcode opcode) {
        return switch (opcode) {
            case IFLT -> Opcode.IFLE;
            case IFLE -> Opcode.IFLT;
            case IFGT -> Opcode.IFGE;
            case IFGE -> Opcode.IFGT;
            case IF_ICMPLT -> Opcode.IF_ICMPLE;
            case IF_ICMPLE -> Opcode.IF_ICMPLT;
            case IF_ICMPGT -> Opcode.IF_ICMPGE;
            case IF_ICMPGE -> Opcode.IF_ICMPGT;
            default -> null;
        };
    }
}
