package io.muninn;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names that Java sources declare: packages, classes by their simple names, and members. Two
 * classes with the same simple name count as one that has the members of both.
 */
final class Declarations {
    /** The declarations of a class: methods, fields, constants, components and nested classes. */
    private static final class Type {
        final Set<String> members = new HashSet<>();
        final Set<String> supertypes = new HashSet<>();
    }

    private final Set<String> packages = new HashSet<>();
    private final Map<String, Type> types = new HashMap<>();
    private final Set<String> members = new HashSet<>(); // of all types
    private final Set<String> imports = new HashSet<>();

    static Declarations of(List<Path> sources) {
        Declarations declarations = new Declarations();
        Sources.parse(sources, (unit, _) -> unit.accept(declarations.new Collector(), null));
        return declarations;
    }

    /** Collects the declarations of one file. The argument is the class around a tree. */
    private final class Collector extends TreeScanner<Void, @Nullable Type> {
        @Override
        public Void visitCompilationUnit(CompilationUnitTree unit, @Nullable Type none) {
            if (unit.getPackageName() != null) {
                packages.add(unit.getPackageName().toString());
            }
            return super.visitCompilationUnit(unit, none);
        }

        @Override
        public Void visitImport(ImportTree tree, @Nullable Type none) {
            imports.add(simpleName(tree.getQualifiedIdentifier()));
            return null;
        }

        @Override
        public Void visitClass(ClassTree tree, @Nullable Type outer) {
            String name = tree.getSimpleName().toString();
            add(name, outer);
            Type type = types.computeIfAbsent(name, _ -> new Type());
            if (tree.getExtendsClause() != null) {
                type.supertypes.add(simpleName(tree.getExtendsClause()));
            }
            tree.getImplementsClause().forEach(above -> type.supertypes.add(simpleName(above)));
            return super.visitClass(tree, type);
        }

        @Override
        public Void visitMethod(MethodTree tree, @Nullable Type owner) {
            add(tree.getName().toString(), owner);
            return null; // without its parameters and variables
        }

        @Override
        public Void visitVariable(VariableTree tree, @Nullable Type owner) {
            add(tree.getName().toString(), owner);
            return null;
        }

        private void add(String member, @Nullable Type owner) {
            if (owner != null) {
                owner.members.add(member);
                members.add(member);
            }
        }
    }

    private static String simpleName(Tree type) {
        return type.toString().replaceAll("<.*|.*\\.", "");
    }

    /** True if sources are in the package, or in one below it. */
    boolean hasPackage(String name) {
        return packages.stream().anyMatch(each -> (each + ".").startsWith(name + "."));
    }

    boolean hasType(String name) {
        return types.containsKey(name);
    }

    /** True if some type declares a member of this name. */
    boolean hasMember(String name) {
        return members.contains(name);
    }

    /** True if the type or one above it declares the member. */
    boolean hasMember(String typeName, String member) {
        Type type = types.get(typeName);
        return type != null
                && (type.members.contains(member)
                        || type.supertypes.stream().anyMatch(above -> hasMember(above, member)));
    }

    /** True if a source imports a type of this name, or it is one of {@code java.lang}. */
    boolean usesType(String name) {
        if (imports.contains(name)) {
            return true;
        }
        try {
            Class.forName("java.lang." + name, false, null);
            return true;
        } catch (ClassNotFoundException unknown) {
            return false;
        }
    }
}
