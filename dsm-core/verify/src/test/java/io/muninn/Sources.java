package io.muninn;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The repository's own main sources, with code and comments separated. */
final class Sources {
    private enum Part {
        CODE,
        LINE_COMMENT,
        BLOCK_COMMENT,
        STRING,
        TEXT_BLOCK,
        CHARACTER
    }

    /**
     * One source file.
     *
     * @param code its lines, with comments and literals blanked
     * @param comments its lines, with all but comments blanked
     */
    record Source(Path path, List<String> lines, List<String> code, List<String> comments) {
        /** Path and 1-based line, as compilers print it. */
        String at(int index) {
            return repository().relativize(path) + ":" + (index + 1);
        }

        String packageName() {
            String folder = path.getParent().toString().replace('/', '.');
            return folder.substring(folder.indexOf("io.muninn"));
        }
    }

    private Sources() {}

    /** The top folder, found from wherever the tests run. */
    static Path repository() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("dsm-core"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("not inside the repository");
            }
        }
        return folder;
    }

    /** Every main source of every module, in order of path. */
    static List<Source> main() {
        return files("src/main/java").stream().map(Sources::read).toList();
    }

    /** The Java files in a folder of every module, in order of path. */
    static List<Path> files(String folder) {
        List<Path> sources = new ArrayList<>();
        for (Path module : modules()) {
            Path root = module.resolve(folder);
            if (Files.isDirectory(root)) {
                try (Stream<Path> files = Files.walk(root)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .sorted()
                            .forEach(sources::add);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return sources;
    }

    /** Parses files with the compiler, and passes on each with the positions of its trees. */
    static void parse(
            List<Path> sources, BiConsumer<CompilationUnitTree, SourcePositions> consumer) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    files,
                                    null,
                                    List.of("-proc:none"),
                                    null,
                                    files.getJavaFileObjectsFromPaths(sources));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                consumer.accept(unit, positions);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every folder of the top one, and every module of dsm-core, dsm-apps and dsm-user. */
    private static List<Path> modules() {
        List<Path> modules = new ArrayList<>(list(repository()));
        modules.addAll(list(repository().resolve("dsm-core")));
        modules.addAll(list(repository().resolve("dsm-apps")));
        modules.addAll(list(repository().resolve("dsm-user")));
        return modules;
    }

    private static List<Path> list(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Source read(Path path) {
        try {
            return scan(path, Files.readString(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Separates code from comments and literals; blanks keep every character in its place. */
    static Source scan(Path path, String text) {
        StringBuilder code = new StringBuilder();
        StringBuilder comments = new StringBuilder();
        Part part = Part.CODE;
        for (int i = 0; i < text.length(); ) {
            Part before = part;
            int length = 1;
            if (before == Part.CODE) {
                part = opened(text, i);
                length = part == Part.CODE ? 1 : opening(part);
            } else if (closes(before, text, i)) {
                length = closing(before);
                part = Part.CODE;
            } else if (text.charAt(i) == '\\' && before.compareTo(Part.STRING) >= 0) {
                length = 2;
            }
            boolean isComment = isComment(before) || (before == Part.CODE && isComment(part));
            boolean isCode = before == Part.CODE && part == Part.CODE;
            for (int end = Math.min(text.length(), i + length); i < end; i++) {
                char c = text.charAt(i);
                code.append(isCode || c == '\n' ? c : ' ');
                comments.append(isComment || c == '\n' ? c : ' ');
            }
        }
        return new Source(
                path,
                text.lines().toList(),
                code.toString().lines().toList(),
                comments.toString().lines().toList());
    }

    private static boolean isComment(Part part) {
        return part == Part.LINE_COMMENT || part == Part.BLOCK_COMMENT;
    }

    private static Part opened(String text, int at) {
        if (text.startsWith("//", at)) {
            return Part.LINE_COMMENT;
        } else if (text.startsWith("/*", at)) {
            return Part.BLOCK_COMMENT;
        } else if (text.startsWith("\"\"\"", at)) {
            return Part.TEXT_BLOCK;
        } else if (text.charAt(at) == '"') {
            return Part.STRING;
        }
        return text.charAt(at) == '\'' ? Part.CHARACTER : Part.CODE;
    }

    private static int opening(Part part) {
        return switch (part) {
            case LINE_COMMENT, BLOCK_COMMENT -> 2;
            case TEXT_BLOCK -> 3;
            case STRING, CHARACTER, CODE -> 1;
        };
    }

    private static boolean closes(Part part, String text, int at) {
        return switch (part) {
            case LINE_COMMENT -> text.charAt(at) == '\n';
            case BLOCK_COMMENT -> text.startsWith("*/", at);
            case TEXT_BLOCK -> text.startsWith("\"\"\"", at);
            case STRING -> text.charAt(at) == '"';
            case CHARACTER -> text.charAt(at) == '\'';
            case CODE -> false;
        };
    }

    private static int closing(Part part) {
        return switch (part) {
            case BLOCK_COMMENT -> 2;
            case TEXT_BLOCK -> 3;
            case LINE_COMMENT, STRING, CHARACTER, CODE -> 1;
        };
    }
}
