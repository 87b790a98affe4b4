package io.muninn.api.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.ByteArray;
import io.muninn.api.DoubleArray;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Home;
import io.muninn.api.IntArray;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.RemoteDoubles;
import io.muninn.api.RemoteInts;
import io.muninn.api.RemoteLongs;
import io.muninn.api.RemoteStructs;
import io.muninn.api.Shared;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LayoutsTest {
    private static class Base {
        @Shared(Protocol.READ_ONLY)
        private final DoubleArray edge = DoubleArray.of(600);
    }

    private static final class Program extends Base {
        @Shared(value = Protocol.WRITE_SHARED, unitPages = 4)
        private final DoubleMatrix grid = DoubleMatrix.of(10, 100);

        @Shared(packed = true)
        private final IntArray flag = IntArray.of(3);

        @Shared(packed = true)
        private final LongArray counter = LongArray.of(1);

        @Shared(value = Protocol.MIGRATORY, packed = true)
        private final IntArray token = IntArray.of(1);

        @Shared(byteGranular = true)
        private final IntArray bytes = IntArray.of(1);

        final DoubleMatrix alias = grid;
        final List<IntArray> aliases = List.of(flag, token);
        final DoubleArray local = DoubleArray.local(1);
        final @Nullable DoubleArray later = null;
        DoubleArray placeholder = DoubleArray.of(1);
    }

    @Test
    void layout_isInOrderOfNamesWithEveryVariableOnItsOwnPage() {
        Layout layout = Layouts.of(new Program()).layout();

        assertEquals(
                """
                muninn-layout 1
                region bytes 1 0 4096 1 1
                variable bytes int[1] 0 4
                region edge 2 4096 8192 8 1
                variable edge double[600] 0 4800
                region grid 4 16384 16384 8 4
                variable grid double[10][100] 0 8000
                region packed/CONVENTIONAL/1 1 32768 4096 4 1
                variable counter long[1] 0 8
                variable flag int[3] 8 12
                region packed/MIGRATORY/1 3 36864 4096 4 1
                variable token int[1] 0 4
                """,
                layout.toText());
        assertEquals(40960, layout.bytes());
    }

    private static final class Levels {
        @Shared(Protocol.LAZY)
        private final DoubleArray[] levels = {DoubleArray.of(8), DoubleArray.of(4)};

        @Shared(packed = true)
        private final List<List<IntArray>> nested =
                List.of(
                        List.of(IntArray.of(1)),
                        List.of(),
                        List.of(IntArray.of(2), IntArray.of(3)));

        @Shared private final LongArray[] none = {};
    }

    @Test
    void elementsOfArraysAndLists_areVariablesWithIndices() {
        Levels program = new Levels();

        Layouts.Declared declared = Layouts.of(program);

        assertEquals(
                """
                muninn-layout 1
                region levels[0] 7 0 4096 8 1
                variable levels[0] double[8] 0 64
                region levels[1] 7 4096 4096 8 1
                variable levels[1] double[4] 0 32
                region packed/CONVENTIONAL/1 1 8192 4096 4 1
                variable nested[0][0] int[1] 0 4
                variable nested[2][0] int[2] 8 8
                variable nested[2][1] int[3] 16 12
                """,
                declared.layout().toText());
        assertEquals(declared.layout(), Layout.parse(declared.layout().toText()));
        assertEquals("levels[1] double[4]", program.levels[1].toString());
    }

    @Test
    void elementThatIsNoVariable_isNamed() {
        Object withNull =
                new Object() {
                    @Shared private final @Nullable IntArray[] words = {IntArray.of(1), null};
                };
        Object withText =
                new Object() {
                    @Shared private final List<String> words = List.of("one");
                };

        assertTrue(
                assertThrows(IllegalArgumentException.class, () -> Layouts.of(withNull))
                        .getMessage()
                        .contains(".words[1] is null; the constructor must declare its shape"));
        assertTrue(
                assertThrows(IllegalArgumentException.class, () -> Layouts.of(withText))
                        .getMessage()
                        .endsWith(
                                ".words[0] is a java.lang.String, not a shared variable such as"
                                        + " DoubleArray, nor an array or list of them"));
    }

    @Test
    void twoObjectsOfOneProgram_haveTheSameLayout() {
        Layout here = Layouts.of(new Program()).layout();
        Layout there = Layouts.of(new Program()).layout();

        assertEquals(here, there);
        assertEquals(here.hash(), there.hash());
        assertTrue(here.firstDifference(there).isEmpty());
    }

    @Test
    void views_areMappedByNameAndKnowTheirNames() {
        Program program = new Program();

        Layouts.Declared declared = Layouts.of(program);

        assertEquals(
                List.of("bytes", "counter", "edge", "flag", "grid", "token"),
                List.copyOf(declared.views().keySet()));
        assertSame(program.grid, declared.views().get("grid"));
        assertEquals("grid double[10][100]", program.grid.toString());
        assertSame(program.grid, program.alias);
        assertEquals(List.of(program.flag, program.token), program.aliases);
        assertNull(program.later);
        assertEquals("(local) double[1]", program.local.toString());
        assertEquals("", program.placeholder.name());
        assertEquals(
                List.of(
                        "double[1] of "
                                + Program.class.getName()
                                + ".placeholder is not annotated: add @Shared"),
                Layouts.undeclared(new Program()).stream().map(Layouts.Undeclared::text).toList());
    }

    private static final class Homes {
        @Shared(packed = true)
        private final IntArray plain = IntArray.of(1);

        @Shared(packed = true, home = Home.ROOT)
        private final IntArray atRoot = IntArray.of(1);

        @Shared(packed = true, home = Home.ROOT, byteGranular = true)
        private final IntArray bytes = IntArray.of(1);

        @Shared(value = Protocol.WRITE_SHARED, home = Home.CYCLIC)
        private final IntArray cyclic = IntArray.of(1);
    }

    @Test
    void homes_areOfRegions_andPackedVariablesShareOneOnlyWithEqualHomes() {
        assertEquals(
                """
                muninn-layout 1
                region cyclic 4 0 4096 4 1 1
                variable cyclic int[1] 0 4
                region packed/CONVENTIONAL/1 1 4096 4096 4 1
                variable plain int[1] 0 4
                region packed/CONVENTIONAL/1/ROOT 1 8192 4096 4 1 2
                variable atRoot int[1] 0 4
                region packed/CONVENTIONAL/1/ROOT/bytes 1 12288 4096 1 1 2
                variable bytes int[1] 0 4
                """,
                Layouts.of(new Homes()).layout().toText());
    }

    private static class Input implements DsmProgram {
        @Shared(value = Protocol.READ_ONLY, home = Home.CYCLIC)
        private final IntArray input = IntArray.of(1);

        @Shared private final IntArray other = IntArray.of(1);

        @Override
        public void run(DsmNode node) {}
    }

    private static final class InParts extends Input {
        @Override
        public void initializePart(DsmNode node) {}
    }

    @Test
    void readOnlyVariablesOfAProgramThatFillsInParts_areHomeBasedAndSealedLater() {
        Layouts.Declared byRoot = Layouts.of(new Input());
        Layouts.Declared inParts = Layouts.of(new InParts());

        assertEquals(Protocol.READ_ONLY, byRoot.layout().regions().getFirst().protocol());
        assertFalse(byRoot.isFilledInParts());
        assertEquals(Set.of(), byRoot.filled());
        RegionSpec input = inParts.layout().regions().getFirst();
        assertEquals(Protocol.HOME_BASED, input.protocol());
        assertEquals(Home.CYCLIC, input.home());
        assertEquals(Protocol.CONVENTIONAL, inParts.layout().regions().getLast().protocol());
        assertTrue(inParts.isFilledInParts());
        assertEquals(Set.of("input"), inParts.filled());
    }

    private static final class Hiding extends Base {
        @Shared private final DoubleArray edge = DoubleArray.of(1);
    }

    private static final class Unannotated {
        final LongArray count = LongArray.of(10);
    }

    private static final class UnannotatedElement {
        @Shared private final IntArray flag = IntArray.of(3);
        final List<IntArray> flags = List.of(flag, IntArray.of(4));
    }

    private static final class UnannotatedStatic {
        static final RemoteInts[] TABLES = {RemoteInts.of(2)};
    }

    private static final class Null {
        @Shared private final @Nullable DoubleArray grid = null;
    }

    private static final class Wrong {
        @Shared private final double[] grid = new double[3];
    }

    private static final class Static {
        @Shared private static final DoubleArray GRID = DoubleArray.of(1);
    }

    private static final class Twice {
        @Shared private final DoubleArray left = DoubleArray.of(1);
        @Shared private final DoubleArray right = left;
    }

    private static final class Unit {
        @Shared(unitPages = 3)
        private final DoubleArray grid = DoubleArray.of(1);
    }

    private static final class Large {
        @Shared(unitPages = 16)
        private final DoubleMatrix a = DoubleMatrix.of(1 << 17, 1 << 25);

        @Shared(unitPages = 16)
        private final DoubleMatrix b = DoubleMatrix.of(1 << 17, 1 << 25);

        @Shared private final ByteArray c = ByteArray.of(1);
    }

    @Test
    void wrongDeclarations_areRefusedByName() {
        String here = LayoutsTest.class.getName();
        assertRefused(
                new Hiding(),
                "shared field "
                        + here
                        + "$Hiding.edge and shared field "
                        + here
                        + "$Base.edge have the same name; rename one of them");
        assertRefused(
                new Unannotated(),
                "long[10] of " + here + "$Unannotated.count is not annotated: add @Shared");
        assertRefused(
                new UnannotatedElement(),
                "int[4] of " + here + "$UnannotatedElement.flags[1] is not annotated: add @Shared");
        assertRefused(
                new UnannotatedStatic(),
                "remote int[2] of "
                        + here
                        + "$UnannotatedStatic.TABLES[0] is not annotated: add @Shared and remove"
                        + " static");
        assertRefused(
                new Null(),
                "shared field "
                        + here
                        + "$Null.grid is null; the constructor must declare its shape, as in"
                        + " LongArray.of(10)");
        assertRefused(
                new Wrong(),
                "shared field "
                        + here
                        + "$Wrong.grid is a double[], not a shared variable such as"
                        + " DoubleArray, nor an array or list of them");
        assertRefused(
                new Static(),
                "shared field "
                        + here
                        + "$Static.GRID is static, but a shared variable belongs to one program"
                        + " object: remove static");
        assertRefused(
                new Twice(),
                "shared field "
                        + here
                        + "$Twice.left and shared field "
                        + here
                        + "$Twice.right are one variable; declare one for each");
        assertRefused(new Unit(), "region grid: a unit of 3 pages is not a power of two up to 16");
        assertRefused(
                new Large(),
                "variable c of 1 bytes does not fit: all variables together are limited to"
                        + " 70368744177664 bytes and 70368744177664 are taken");
    }

    private static final class Remote {
        @Shared private final RemoteLongs table = RemoteLongs.of(1000);

        @Shared(home = Home.CYCLIC)
        private final RemoteInts[] flags = {RemoteInts.of(3), RemoteInts.of(5000)};

        @Shared private final DoubleArray cached = DoubleArray.of(1);
    }

    private static final class FirstTouch {
        @Shared(home = Home.FIRST_TOUCH)
        private final RemoteLongs table = RemoteLongs.of(1);
    }

    private static final class Cached {
        @Shared(Protocol.WRITE_SHARED)
        private final RemoteInts table = RemoteInts.of(1);
    }

    private static final class Packed {
        @Shared(packed = true)
        private final RemoteDoubles table = RemoteDoubles.of(1);
    }

    private static final class FieldOfStructs {
        @Shared
        private final RemoteLongs count =
                RemoteStructs.of(
                                MemoryLayout.structLayout(ValueLayout.JAVA_LONG.withName("count")),
                                2)
                        .longs("count");
    }

    @Test
    void remoteVariables_haveAMemoryOfTheirOwn() {
        Layout layout = Layouts.of(new Remote()).layout();
        assertEquals(4096, layout.bytes());
        assertEquals(
                List.of("flags[0]", "flags[1]", "table"),
                layout.remotes().stream().map(RegionSpec::name).toList());
        assertEquals(
                List.of(Home.CYCLIC, Home.CYCLIC, Home.BANDED),
                layout.remotes().stream().map(RegionSpec::home).toList());
        assertEquals(4096 + 5 * 4096 + 2 * 4096, layout.remoteBytes());
        assertEquals(layout, Layout.parse(layout.toText()));
        Layout without = new Layout(layout.regions());
        assertEquals(
                Optional.of("variable flags[0] is missing there"), layout.firstDifference(without));
        assertEquals(layout.remotes(), layout.withProtocol(Protocol.LAZY).remotes());
        assertEquals(layout.remotes(), layout.withUnitPages(4).remotes());
        assertEquals(layout.remotes(), layout.packed().remotes());
        assertEquals(layout.remotes(), layout.withByteGranules().remotes());
        assertEquals(layout, new GrowingLayout(layout).layout());
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        new GrowingLayout(layout)
                                .next(
                                        "table",
                                        new ViewSpec("long[1]", 8, 8),
                                        Protocol.LAZY,
                                        Home.BANDED));
    }

    @Test
    void traitsOfCachedVariables_areRefusedForRemoteOnes() {
        String here = LayoutsTest.class.getName();
        assertRefused(
                new FirstTouch(),
                "shared field "
                        + here
                        + "$FirstTouch.table is a RemoteLongs with home FIRST_TOUCH, but homes of"
                        + " remote variables are fixed: declare BANDED, CYCLIC or ROOT");
        assertRefused(
                new Cached(),
                "shared field "
                        + here
                        + "$Cached.table is a RemoteInts under WRITE_SHARED, but remote variables"
                        + " have no copies and no protocol: write @Shared without one, or declare"
                        + " a cached variable such as LongArray");
        assertRefused(
                new Packed(),
                "shared field "
                        + here
                        + "$Packed.table is a RemoteDoubles, to which packed, unitPages and"
                        + " byteGranular do not apply: of @Shared, it has only the home");
        assertRefused(
                new FieldOfStructs(),
                "shared field "
                        + here
                        + "$FieldOfStructs.count is a field of structs; remove @Shared there, and"
                        + " declare the RemoteStructs");
    }

    private static void assertRefused(Object declarations, String text) {
        assertEquals(
                text,
                assertThrows(IllegalArgumentException.class, () -> Layouts.of(declarations))
                        .getMessage());
    }

    @Test
    void noSharedFields_giveTheEmptyLayout() {
        assertEquals(Layout.EMPTY, Layouts.of(new Object()).layout());
    }
}
