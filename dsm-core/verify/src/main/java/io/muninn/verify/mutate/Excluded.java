package io.muninn.verify.mutate;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.reflect.AccessFlag;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Code that is not mutated, because no run can show the change:
 *
 * <ul>
 *   <li>texts: methods that return a {@code String}, and {@code equals} and {@code hashCode}
 *   <li>checks: code that can only end with an exception, conditions that lead there, and calls of
 *       {@code ProtocolViolation.check} and {@code Objects.requireNonNull} with their arguments;
 *       without them correct code runs as before
 *   <li>counts: calls of methods named {@code count}, conditions of such calls only, and the
 *       classes that keep statistics
 *   <li>code that the compiler adds: synthetic methods other than lambdas, methods of enums, the
 *       restarts of switches over patterns
 *   <li>capacities and array lengths; and constants above {@link Mutator#CONSTANT_MAX}, which are
 *       sizes and times; and boundaries at such constants or of times, where one more or less is
 *       correct, too
 *   <li>{@code ReadAhead} and its rules, which decide how many pages are requested ahead: any
 *       number is correct
 *   <li>{@code ProtocolTraits}, and methods of messages that only checkers call: the protocols do
 *       not use these descriptions of themselves
 *   <li>the places in {@code equivalent-mutants.txt}, each for the reason stated there
 * </ul>
 */
final class Excluded {
    private static final Set<String> METHODS =
            Set.of(
                    "equals",
                    "hashCode",
                    "values",
                    "valueOf",
                    "$values",
                    "<clinit>",
                    "askedBy",
                    "imageOf",
                    "givesOwnership");

    /** Classes without decisions that can be wrong. */
    private static final Set<String> CLASSES =
            Set.of(
                    "io/muninn/coherence/shared/ReadAhead",
                    "io/muninn/spi/ProtocolTraits",
                    "io/muninn/spi/ReadAheadRules",
                    "io/muninn/kernel/PageStatistics",
                    "io/muninn/kernel/PageCount",
                    "io/muninn/kernel/RegionCounts");

    private static final String TIME = "Nanos";

    private static final Set<String> CHECKS =
            Set.of("io/muninn/spi/ProtocolViolation", "java/util/Objects");

    private Excluded() {}

    static boolean isExcluded(ClassModel of, MethodModel method) {
        String name = method.methodName().stringValue();
        boolean isAdded = method.flags().has(AccessFlag.SYNTHETIC) && !name.startsWith("lambda$");
        boolean isText =
                method.methodTypeSymbol()
                        .returnType()
                        .descriptorString()
                        .equals("Ljava/lang/String;");
        String outermost = of.thisClass().asInternalName().replaceFirst("\\$.*", "");
        return isAdded || isText || CLASSES.contains(outermost) || METHODS.contains(name);
    }

    /** True for a call whose removal no run can show. */
    static boolean isExcluded(InvokeInstruction call) {
        return call.name().stringValue().equals("count")
                || call.name().stringValue().equals("<init>")
                || CLASSES.contains(call.owner().asInternalName())
                || isCheck(call);
    }

    private static boolean isCheck(InvokeInstruction call) {
        return CHECKS.contains(call.owner().asInternalName())
                && call.opcode() == Opcode.INVOKESTATIC;
    }

    /** The elements of a method's code that may be changed. */
    static BitSet changeable(List<CodeElement> code) {
        BitSet mayReturn = mayReturn(code);
        BitSet changeable = (BitSet) mayReturn.clone();
        Map<Label, Integer> labels = labels(code);
        for (int i = 0; i < code.size(); i++) {
            if (code.get(i) instanceof BranchInstruction branch
                    && branch.opcode() != Opcode.GOTO
                    && !(mayReturn.get(i + 1) && mayReturn.get(index(labels, branch.target())))) {
                changeable.clear(previous(code, i), i + 1); // with the constant it compares with
            } else if (code.get(i) instanceof InvokeInstruction call && isCheck(call)) {
                changeable.clear(firstOfStatement(code, i), i + 1);
            } else if (code.get(i) instanceof InvokeInstruction call
                    && call.name().stringValue().equals("count")) {
                changeable.clear(Math.max(0, firstOfStatement(code, i)), i + 1);
                clearCondition(code, i, labels, changeable);
            } else if (code.get(i) instanceof InvokeDynamicInstruction call
                    && call.name().stringValue().endsWith("Switch")) {
                clearRestarts(code, i, changeable);
            }
        }
        return changeable;
    }

    /** Excludes the condition of a count: a branch over nothing else. */
    private static void clearCondition(
            List<CodeElement> code, int count, Map<Label, Integer> labels, BitSet changeable) {
        int first = firstOfStatement(code, count);
        for (int i = first - 1; i >= 0; i--) {
            if (code.get(i) instanceof Instruction last) {
                boolean isOverCount =
                        last instanceof BranchInstruction branch
                                && index(labels, branch.target()) > count
                                && index(labels, branch.target()) <= nextIndex(code, count);
                if (isOverCount) {
                    changeable.clear(Math.max(0, firstOfStatement(code, i)), i + 1);
                }
                return;
            }
        }
    }

    /**
     * Returns the begin of the statement whose last call is at an index: the first line not below
     * its own.
     */
    private static int firstOfStatement(List<CodeElement> code, int call) {
        int line = 0;
        int first = call;
        for (int i = call; i >= 0; i--) {
            if (code.get(i) instanceof LineNumber number) {
                line = line == 0 ? number.line() : line;
                if (number.line() < line) {
                    return first;
                }
                first = i;
            }
        }
        return first;
    }

    /** Excludes stores of the variable that selects the first case of a switch over patterns. */
    private static void clearRestarts(List<CodeElement> code, int call, BitSet changeable) {
        int restart = -1;
        for (int i = call - 1; i >= 0 && restart < 0; i--) {
            if (code.get(i) instanceof LoadInstruction load) {
                restart = load.typeKind() == TypeKind.INT ? load.slot() : -2;
                break;
            }
        }
        for (int i = 1; i < code.size(); i++) {
            if (code.get(i) instanceof StoreInstruction store && store.slot() == restart) {
                changeable.clear(i - 1);
            }
        }
    }

    /** The elements from which the method can return. */
    private static BitSet mayReturn(List<CodeElement> code) {
        Map<Label, Integer> labels = labels(code);
        BitSet mayReturn = new BitSet();
        boolean isChanging = true;
        while (isChanging) {
            int before = mayReturn.cardinality();
            for (int i = code.size() - 1; i >= 0; i--) {
                if (leadsOn(code.get(i), i, labels, mayReturn)) {
                    mayReturn.set(i);
                }
            }
            isChanging = mayReturn.cardinality() > before;
        }
        return mayReturn;
    }

    private static boolean leadsOn(
            CodeElement element, int index, Map<Label, Integer> labels, BitSet mayReturn) {
        return switch (element) {
            case ReturnInstruction _ -> true;
            case ThrowInstruction _ -> false;
            case BranchInstruction branch ->
                    mayReturn.get(index(labels, branch.target()))
                            || branch.opcode() != Opcode.GOTO && mayReturn.get(index + 1);
            case TableSwitchInstruction choice ->
                    mayReturn.get(index(labels, choice.defaultTarget()))
                            || choice.cases().stream()
                                    .anyMatch(each -> mayReturn.get(index(labels, each.target())));
            case LookupSwitchInstruction choice ->
                    mayReturn.get(index(labels, choice.defaultTarget()))
                            || choice.cases().stream()
                                    .anyMatch(each -> mayReturn.get(index(labels, each.target())));
            default -> mayReturn.get(index + 1);
        };
    }

    private static int index(Map<Label, Integer> labels, Label label) {
        return Objects.requireNonNull(labels.get(label), "a label outside its method");
    }

    private static Map<Label, Integer> labels(List<CodeElement> code) {
        Map<Label, Integer> labels = new HashMap<>();
        for (int i = 0; i < code.size(); i++) {
            if (code.get(i) instanceof LabelTarget target) {
                labels.put(target.label(), i);
            }
        }
        return labels;
    }

    /** True for a comparison with a constant that is a size, or of times. */
    static boolean isOfSizes(List<CodeElement> code, int branch) {
        int last = previous(code, branch);
        if (code.get(last) instanceof ConstantInstruction constant) {
            return constant.constantValue() instanceof Number number
                    && Math.abs(number.longValue()) > Mutator.CONSTANT_MAX;
        }
        if (!(code.get(last) instanceof OperatorInstruction compare)
                || compare.opcode() != Opcode.LCMP
                || code.get(previous(code, last)) instanceof ConstantInstruction) {
            return false;
        }
        return code.subList(firstOfStatement(code, branch), branch).stream()
                .anyMatch(Excluded::isTime);
    }

    private static boolean isTime(CodeElement element) {
        return switch (element) {
            case InvokeInstruction call -> call.name().stringValue().endsWith(TIME);
            case FieldInstruction field -> field.name().stringValue().endsWith(TIME);
            default -> false;
        };
    }

    private static int previous(List<CodeElement> code, int index) {
        for (int i = index - 1; i >= 0; i--) {
            if (code.get(i) instanceof Instruction) {
                return i;
            }
        }
        return 0;
    }

    /** The next instruction. */
    static Instruction next(List<CodeElement> code, int index) {
        return (Instruction) code.get(nextIndex(code, index));
    }

    private static int nextIndex(List<CodeElement> code, int index) {
        for (int i = index + 1; i < code.size(); i++) {
            if (code.get(i) instanceof Instruction) {
                return i;
            }
        }
        throw new IllegalArgumentException("no instruction after " + index);
    }
}
