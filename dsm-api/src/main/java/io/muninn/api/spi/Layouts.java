package io.muninn.api.spi;

import static java.util.Objects.requireNonNull;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.api.RemoteVariable;
import io.muninn.api.Shared;
import io.muninn.api.SharedVariable;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds a program's declarations and lays them out. Every node computes the same layout: regions
 * and variables are sorted by name, regardless of the order of reflection.
 *
 * <p>Each variable has a region of its own with the variable's name. Packed variables of the same
 * protocol, unit, home and granularity share one region, named {@code packed/} and these four; the
 * default home and granularity are left out. No field can have such a name.
 *
 * <p>Source: Munin §3.2.
 */
public final class Layouts {
    private Layouts() {}

    /**
     * A program's variables and their layout.
     *
     * @param layout the same on every node
     * @param views the declarations by variable name, in order of name
     * @param remotes those of remote variables
     * @param isFilledInParts true if the threads of all nodes fill the variables, see {@link
     *     DsmProgram#initializePart}
     * @param filled names of the read-only variables that are home-based in the layout, so that
     *     these can store to them
     */
    public record Declared(
            Layout layout,
            SortedMap<String, SharedVariable> views,
            SortedMap<String, RemoteVariable> remotes,
            boolean isFilledInParts,
            SortedSet<String> filled) {
        public Declared {
            views = Collections.unmodifiableSortedMap(new TreeMap<>(views));
            remotes = Collections.unmodifiableSortedMap(new TreeMap<>(remotes));
            filled = Collections.unmodifiableSortedSet(new TreeSet<>(filled));
        }

        /**
         * Binds every view to its part of its region.
         *
         * @param session provides the memory of the regions, their guards, if any, and links
         */
        public void bind(DsmSession session) {
            Map<String, Protocol> declared = new TreeMap<>();
            for (RegionSpec region : layout.regions()) {
                region.variables().forEach(each -> declared.put(each.name(), region.protocol()));
            }
            for (RegionSpec region : session.layout().regions()) {
                MemorySegment bytes = session.segment(region);
                AccessGuard guard = session.guard(region).orElse(null);
                for (VariableSpec variable : region.variables()) {
                    SharedVariable view = views.get(variable.name());
                    if (view != null) {
                        ViewBinder.bind(
                                view,
                                variable.name(),
                                bytes.asSlice(variable.offset(), variable.bytes()),
                                guard == null ? null : new ShiftedGuard(guard, variable.offset()),
                                OverriddenLink.of(
                                        session.link(region, variable),
                                        session.nodes(),
                                        variable.name(),
                                        requireNonNull(
                                                declared.get(variable.name()), variable.name()),
                                        region.protocol()));
                    }
                }
            }
            for (RegionSpec remote : session.layout().remotes()) {
                RemoteVariable variable = remotes.get(remote.name());
                if (variable != null) {
                    RemoteBinder.bind(variable, remote.name(), session.remote(remote));
                }
            }
        }

        private boolean isSealed(Protocol inForce, String name) {
            return inForce.isSealed() || filled.contains(name) && inForce == Protocol.filledByAll();
        }

        /**
         * Seals every view whose protocol in the layout in force is sealed, and every view filled
         * in parts whose protocol is not overridden.
         *
         * @param inForce the session's layout, which may override protocols
         */
        public void seal(Layout inForce) {
            for (RegionSpec region : inForce.regions()) {
                for (VariableSpec variable : region.variables()) {
                    SharedVariable view = views.get(variable.name());
                    if (view != null && isSealed(region.protocol(), variable.name())) {
                        ViewBinder.seal(view);
                    }
                }
            }
        }
    }

    /** One annotated field. */
    private record Declaration(String name, SharedVariable view, Shared traits, String where) {
        ViewSpec spec() {
            return ViewBinder.spec(view);
        }

        VariableSpec unplaced() {
            return new VariableSpec(name, spec().type(), 0, spec().bytes());
        }

        int granuleBytes() {
            return traits.byteGranular() ? 1 : spec().granuleBytes();
        }

        /** Variables of the same region name share a region. */
        String regionName() {
            if (!traits.packed()) {
                return name;
            }
            return "packed/"
                    + traits.value()
                    + "/"
                    + traits.unitPages()
                    + (traits.home() == Home.BANDED ? "" : "/" + traits.home())
                    + (traits.byteGranular() ? "/bytes" : "");
        }
    }

    /** One annotated field of a remote variable. */
    private record RemoteDeclaration(
            String name, RemoteVariable variable, Home home, String where) {}

    /** The annotated fields, by name. */
    private record Found(
            SortedMap<String, Declaration> views, SortedMap<String, RemoteDeclaration> remotes) {
        Found() {
            this(new TreeMap<>(), new TreeMap<>());
        }

        void add(String name, Object variable, Shared traits, String where) {
            Optional<String> other = declaredAs(name);
            if (other.isPresent()) {
                throw new IllegalArgumentException(
                        other.get() + " and " + where + " have the same name; rename one of them");
            }
            Optional<String> same = declarationOf(variable);
            if (same.isPresent()) {
                throw new IllegalArgumentException(
                        same.get() + " and " + where + " are one variable; declare one for each");
            }
            if (variable instanceof RemoteVariable remote) {
                checkRemote(remote, traits, where);
                remotes.put(name, new RemoteDeclaration(name, remote, traits.home(), where));
            } else {
                views.put(name, new Declaration(name, (SharedVariable) variable, traits, where));
            }
        }

        /** Where a variable of this name is declared. */
        private Optional<String> declaredAs(String name) {
            return Optional.ofNullable(views.get(name))
                    .map(Declaration::where)
                    .or(() -> Optional.ofNullable(remotes.get(name)).map(RemoteDeclaration::where));
        }

        /** Where this variable is declared. */
        Optional<String> declarationOf(Object variable) {
            return views.values().stream()
                    .filter(each -> each.view() == variable)
                    .map(Declaration::where)
                    .findFirst()
                    .or(() ->
                            remotes.values().stream()
                                    .filter(each -> each.variable() == variable)
                                    .map(RemoteDeclaration::where)
                                    .findFirst());
        }
    }

    /** What does not apply to remote variables is refused, because it would be ignored. */
    private static void checkRemote(RemoteVariable remote, Shared traits, String where) {
        String type = remote.getClass().getSimpleName();
        if (RemoteBinder.isField(remote)) {
            throw new IllegalArgumentException(
                    where
                            + " is a field of structs; remove @Shared there, and declare the"
                            + " RemoteStructs");
        }
        if (traits.home() == Home.FIRST_TOUCH) {
            throw new IllegalArgumentException(
                    where
                            + " is a "
                            + type
                            + " with home FIRST_TOUCH, but homes of remote variables are fixed:"
                            + " declare BANDED, CYCLIC or ROOT");
        }
        if (traits.value() != Protocol.CONVENTIONAL) {
            throw new IllegalArgumentException(
                    where
                            + " is a "
                            + type
                            + " under "
                            + traits.value()
                            + ", but remote variables have no copies and no protocol: write"
                            + " @Shared without one, or declare a cached variable such as"
                            + " LongArray");
        }
        if (traits.packed() || traits.unitPages() != 1 || traits.byteGranular()) {
            throw new IllegalArgumentException(
                    where
                            + " is a "
                            + type
                            + ", to which packed, unitPages and byteGranular do not apply: of"
                            + " @Shared, it has only the home");
        }
    }

    /**
     * Lays out the fields annotated {@link Shared} of {@code declarations}, including private and
     * inherited ones. The protocol of variables that are declared read-only is another one if the
     * program fills them in parts. Sets the name of every view to the name of its field, with an
     * index if the field is an array or a list.
     *
     * @throws IllegalArgumentException if a field is static, null or not a {@link SharedVariable}
     *     or {@link RemoteVariable}, if a final field without annotation holds a variable that no
     *     other declares, if a remote variable has traits of cached ones, if two fields have one
     *     name or refer to one variable, if a unit is out of range, or if the layout is too large;
     *     the text names the field
     * @throws IllegalStateException if a variable already belongs to a run
     */
    public static Declared of(Object declarations) {
        Found all = find(declarations);
        SortedMap<String, Declaration> found = all.views();
        boolean inParts = isFilledInParts(declarations);
        SortedMap<String, List<Declaration>> grouped = new TreeMap<>();
        for (Declaration declaration : found.values()) {
            grouped.computeIfAbsent(declaration.regionName(), _ -> new ArrayList<>())
                    .add(declaration);
        }
        Layout layout = Layout.EMPTY;
        for (Map.Entry<String, List<Declaration>> group : grouped.entrySet()) {
            layout = append(layout, group.getKey(), group.getValue(), inParts);
        }
        SortedMap<String, SharedVariable> views = new TreeMap<>();
        SortedSet<String> filled = new TreeSet<>();
        for (Declaration declaration : found.values()) {
            ViewBinder.name(declaration.view(), declaration.name());
            views.put(declaration.name(), declaration.view());
            if (inParts && declaration.traits().value().isSealed()) {
                filled.add(declaration.name());
            }
        }
        SortedMap<String, RemoteVariable> remotes = new TreeMap<>();
        for (RemoteDeclaration remote : all.remotes().values()) {
            ViewSpec spec = RemoteBinder.spec(remote.variable());
            VariableSpec placed = new VariableSpec(remote.name(), spec.type(), 0, spec.bytes());
            layout = layout.appendRemote(placed, spec.granuleBytes(), remote.home());
            RemoteBinder.name(remote.variable(), remote.name());
            remotes.put(remote.name(), remote.variable());
        }
        return new Declared(layout, views, remotes, inParts, filled);
    }

    /** True if a program overrides {@link DsmProgram#initializePart}. */
    private static boolean isFilledInParts(Object declarations) {
        if (!(declarations instanceof DsmProgram)) {
            return false;
        }
        try {
            return declarations
                            .getClass()
                            .getMethod("initializePart", DsmNode.class)
                            .getDeclaringClass()
                    != DsmProgram.class;
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Layout append(
            Layout layout, String region, List<Declaration> group, boolean inParts) {
        Shared traits = group.getFirst().traits();
        Protocol protocol = traits.value();
        return layout.appendPacked(
                region,
                inParts && protocol.isSealed() ? Protocol.filledByAll() : protocol,
                group.stream().mapToInt(Declaration::granuleBytes).min().orElseThrow(),
                traits.unitPages(),
                traits.home(),
                group.stream().map(Declaration::unplaced).toList());
    }

    private static Found find(Object declarations) {
        Found found = declared(declarations);
        for (Undeclared each : undeclared(found, declarations)) {
            if (Modifier.isFinal(each.field().getModifiers())) {
                throw new IllegalArgumentException(each.text());
            }
        }
        return found;
    }

    private static Found declared(Object declarations) {
        Found found = new Found();
        for (Field field : fields(declarations)) {
            Shared traits = field.getAnnotation(Shared.class);
            if (traits != null) {
                addAll(found, field, declarations, traits);
            }
        }
        return found;
    }

    private static List<Field> fields(Object declarations) {
        List<Field> fields = new ArrayList<>();
        Class<?> type = declarations.getClass();
        while (type != null) {
            fields.addAll(List.of(type.getDeclaredFields()));
            type = type.getSuperclass();
        }
        return fields;
    }

    /**
     * A field that holds a variable which no field declares. The variable has no memory when it is
     * used; but the field may be given another one before, unless it is final.
     *
     * @param text what is wrong, for the user
     */
    public record Undeclared(Field field, String text) {}

    /**
     * The fields of {@code declarations} without annotation that hold variables which no other
     * field declares.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    public static List<Undeclared> undeclared(Object declarations) {
        return undeclared(declared(declarations), declarations);
    }

    private static List<Undeclared> undeclared(Found found, Object declarations) {
        List<Undeclared> all = new ArrayList<>();
        for (Field field : fields(declarations)) {
            boolean mayBe =
                    !field.isAnnotationPresent(Shared.class)
                            && mayHoldVariables(field.getGenericType())
                            && field.trySetAccessible(); // not of a class of the JDK
            if (mayBe) {
                addUndeclared(all, found, field, declarations);
            }
        }
        return all;
    }

    private static boolean mayHoldVariables(Type type) {
        return switch (type) {
            case Class<?> array when array.isArray() -> mayHoldVariables(array.getComponentType());
            case Class<?> plain ->
                    SharedVariable.class.isAssignableFrom(plain)
                            || RemoteVariable.class.isAssignableFrom(plain);
            case ParameterizedType list when list.getRawType() == List.class ->
                    mayHoldVariables(list.getActualTypeArguments()[0]);
            case ParameterizedType generic -> mayHoldVariables(generic.getRawType());
            case GenericArrayType array -> mayHoldVariables(array.getGenericComponentType());
            case WildcardType any -> mayHoldVariables(any.getUpperBounds()[0]);
            default -> false;
        };
    }

    private static void addUndeclared(
            List<Undeclared> all, Found found, Field field, Object declarations) {
        String type = field.getDeclaringClass().getName();
        String remedy =
                " is not annotated: add @Shared"
                        + (Modifier.isStatic(field.getModifiers()) ? " and remove static" : "");
        Elements.forEach(
                field.getName(),
                valueOf(field, declarations, type + "." + field.getName()),
                (name, value) -> {
                    if (value != null && isUnbound(value) && found.declarationOf(value).isEmpty()) {
                        String text = value + " of " + type + "." + name + remedy;
                        all.add(new Undeclared(field, text));
                    }
                });
    }

    /** True for a variable that belongs to no run, and is no local one. */
    private static boolean isUnbound(Object value) {
        return switch (value) {
            case SharedVariable view -> view.name().isEmpty();
            case RemoteVariable remote -> remote.name().isEmpty() && !RemoteBinder.isField(remote);
            default -> false;
        };
    }

    private static void addAll(Found found, Field field, Object declarations, Shared traits) {
        String type = field.getDeclaringClass().getName();
        String where = "shared field " + type + "." + field.getName();
        if (Modifier.isStatic(field.getModifiers())) {
            throw new IllegalArgumentException(
                    where
                            + " is static, but a shared variable belongs to one program object:"
                            + " remove static");
        }
        Elements.forEach(
                field.getName(),
                valueOf(field, declarations, where),
                (name, value) -> {
                    String place = "shared field " + type + "." + name;
                    found.add(name, variable(place, value), traits, place);
                });
    }

    private static Object variable(String where, @Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException(
                    where
                            + " is null; the constructor must declare its shape, as in"
                            + " LongArray.of(10)");
        }
        if (!(value instanceof SharedVariable || value instanceof RemoteVariable)) {
            throw new IllegalArgumentException(
                    where
                            + " is a "
                            + value.getClass().getTypeName()
                            + ", not a shared variable such as DoubleArray, nor an array or list of"
                            + " them");
        }
        return value;
    }

    private static @Nullable Object valueOf(Field field, Object declarations, String where) {
        try {
            field.setAccessible(true);
            return field.get(declarations);
        } catch (InaccessibleObjectException | IllegalAccessException cause) {
            throw new IllegalArgumentException(
                    where
                            + " cannot be read: open package "
                            + field.getDeclaringClass().getPackageName()
                            + " to module "
                            + Layouts.class.getModule().getName(),
                    cause);
        }
    }
}
