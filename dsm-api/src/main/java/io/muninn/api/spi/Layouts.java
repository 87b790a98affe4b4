package io.muninn.api.spi;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.SharedVariable;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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
     */
    public record Declared(Layout layout, SortedMap<String, SharedVariable> views) {
        public Declared {
            views = Collections.unmodifiableSortedMap(new TreeMap<>(views));
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
                                        declared.get(variable.name()),
                                        region.protocol()));
                    }
                }
            }
        }

        /**
         * Seals every view whose protocol in the layout in force is sealed.
         *
         * @param inForce the session's layout, which may override protocols
         */
        public void seal(Layout inForce) {
            for (RegionSpec region : inForce.regions()) {
                if (!region.protocol().isSealed()) {
                    continue;
                }
                for (VariableSpec variable : region.variables()) {
                    SharedVariable view = views.get(variable.name());
                    if (view != null) {
                        ViewBinder.seal(view);
                    }
                }
            }
        }
    }

    /** One annotated field. */
    private record Declaration(String name, SharedVariable view, Shared traits) {
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

    /**
     * Lays out the fields annotated {@link Shared} of {@code declarations}, including private and
     * inherited ones. Sets the name of every view to the name of its field, with an index if the
     * field is an array or a list.
     *
     * @throws IllegalArgumentException if a field is static, null or not a {@link SharedVariable},
     *     if two fields have one name or refer to one variable, if a unit is out of range, or if
     *     the layout is too large; the text names the field
     * @throws IllegalStateException if a variable already belongs to a run
     */
    public static Declared of(Object declarations) {
        SortedMap<String, Declaration> found = find(declarations);
        SortedMap<String, List<Declaration>> grouped = new TreeMap<>();
        for (Declaration declaration : found.values()) {
            grouped.computeIfAbsent(declaration.regionName(), _ -> new ArrayList<>())
                    .add(declaration);
        }
        Layout layout = Layout.EMPTY;
        for (Map.Entry<String, List<Declaration>> group : grouped.entrySet()) {
            layout = append(layout, group.getKey(), group.getValue());
        }
        SortedMap<String, SharedVariable> views = new TreeMap<>();
        for (Declaration declaration : found.values()) {
            ViewBinder.name(declaration.view(), declaration.name());
            views.put(declaration.name(), declaration.view());
        }
        return new Declared(layout, views);
    }

    private static Layout append(Layout layout, String region, List<Declaration> group) {
        Shared traits = group.getFirst().traits();
        return layout.appendPacked(
                region,
                traits.value(),
                group.stream().mapToInt(Declaration::granuleBytes).min().orElseThrow(),
                traits.unitPages(),
                traits.home(),
                group.stream().map(Declaration::unplaced).toList());
    }

    private static SortedMap<String, Declaration> find(Object declarations) {
        SortedMap<String, Declaration> found = new TreeMap<>();
        Class<?> type = declarations.getClass();
        while (type != null) {
            for (Field field : type.getDeclaredFields()) {
                Shared traits = field.getAnnotation(Shared.class);
                if (traits != null) {
                    addAll(found, field, declarations, traits);
                }
            }
            type = type.getSuperclass();
        }
        return found;
    }

    private static void add(SortedMap<String, Declaration> found, Declaration declaration) {
        for (Declaration other : found.values()) {
            if (other.view() == declaration.view()) {
                throw new IllegalArgumentException(
                        "shared fields "
                                + other.name()
                                + " and "
                                + declaration.name()
                                + " are one variable; declare one for each");
            }
        }
        if (found.put(declaration.name(), declaration) != null) {
            throw new IllegalArgumentException(
                    "two shared fields are named "
                            + declaration.name()
                            + ", one of them inherited; names are unique in a program");
        }
    }

    private static void addAll(
            SortedMap<String, Declaration> found, Field field, Object declarations, Shared traits) {
        String type = field.getDeclaringClass().getName();
        String where = "shared field " + type + "." + field.getName();
        if (Modifier.isStatic(field.getModifiers())) {
            throw new IllegalArgumentException(
                    where + " is static; a shared variable belongs to one program object");
        }
        Elements.forEach(
                field.getName(),
                valueOf(field, declarations, where),
                (name, value) -> {
                    SharedVariable view = view("shared field " + type + "." + name, value);
                    add(found, new Declaration(name, view, traits));
                });
    }

    private static SharedVariable view(String where, @Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException(
                    where + " is null; the constructor must declare its shape");
        }
        if (!(value instanceof SharedVariable view)) {
            throw new IllegalArgumentException(
                    where
                            + " is a "
                            + value.getClass().getTypeName()
                            + ", not a shared variable such as DoubleArray, nor an array or list of"
                            + " them");
        }
        return view;
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
