package io.muninn;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.muninn.api.RemoteVariable;
import io.muninn.api.SharedVariable;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The floors: a package sees strictly lower floors and itself, and below the purity line nothing
 * touches the machine.
 */
class FloorsTest {
    private static final int CLASSES_MIN = 150;
    private static final String API = "io.muninn.api";

    private static final JavaClasses OURS =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.muninn");

    @Test
    void everyPackage_hasAFloor() {
        assertTrue(OURS.size() > CLASSES_MIN, OURS.size() + " classes were read");
        List<String> homeless =
                OURS.stream()
                        .map(JavaClass::getPackageName)
                        .distinct()
                        .filter(name -> !Floors.hasFloor(Floors.name(name)))
                        .toList();

        assertEquals(List.of(), homeless);
    }

    @Test
    void nobody_looksUpOrSideways() {
        TreeSet<String> violations = new TreeSet<>();
        for (JavaClass from : OURS) {
            for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass();
                String own = Floors.name(from.getPackageName());
                String to = Floors.name(target.getPackageName());
                if (!to.isEmpty()
                        && !Floors.maySee(own, to)
                        && !Floors.maySeeOfWing(own, target.getName())) {
                    violations.add(dependency.getDescription());
                }
            }
        }

        assertEquals(List.of(), List.copyOf(violations));
    }

    /**
     * Packages of one floor may depend on each other in one direction. Dependencies of the public
     * types of the API are left out: {@link #publicTypesOfTheApi_nameFewPackagesBelow} lists them.
     */
    @Test
    void packagesOfAFloor_haveNoCircles() {
        slices().matching("io.muninn.(**)")
                .should()
                .beFreeOfCycles()
                .ignoreDependency(resideInAPackage("io.muninn.api"), alwaysTrue())
                .check(OURS);
    }

    /**
     * The packages below {@code io.muninn.api} are written in terms of its types, so each entry
     * here is a circle of packages. None may be added without need.
     */
    private static final Set<String> API_NAMES =
            Set.of(
                    "Dsm single", // the session of a process without an agent
                    "Dsm spi",
                    "LocalCluster spi", // who starts its processes
                    "Membership spi",
                    "LoopProgram service", // runs over any DsmNode, such as one that a test wraps
                    "Readers spi",
                    "RemoteBatches remote", // part of remote variables
                    "RemoteBatches spi",
                    "ViewSeam spi", // binds views, of the classes that are left out below
                    "Reduction reduction",
                    "Reduction shipping"); // encodes values of a type of the program

    /**
     * Views also name {@code spi}, which describes and binds them, as remote variables do; these
     * perform the operations of {@code remote}.
     */
    @Test
    void publicTypesOfTheApi_nameFewPackagesBelow() {
        TreeSet<String> found = new TreeSet<>();
        for (JavaClass from : OURS) {
            String type = from.getName().replaceAll("\\$.*", "");
            if (!from.getPackageName().equals(API)
                    || OURS.get(type).isAssignableTo(SharedVariable.class)
                    || OURS.get(type).isAssignableTo(RemoteVariable.class)) {
                continue;
            }
            for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
                String to = dependency.getTargetClass().getPackageName();
                if (to.startsWith(API + ".")) {
                    int names = API.length() + 1;
                    found.add(type.substring(names) + " " + to.substring(names));
                }
            }
        }

        assertEquals(new TreeSet<>(API_NAMES), found);
    }

    @Test
    void pureFloors_touchNoMachine() {
        TreeSet<String> violations = new TreeSet<>();
        OURS.stream()
                .filter(each -> Floors.isPure(Floors.name(each.getPackageName())))
                .flatMap(FloorsTest::touchesOfTheMachine)
                .forEach(violations::add);

        assertEquals(List.of(), List.copyOf(violations));
    }

    private static Stream<String> touchesOfTheMachine(JavaClass from) {
        Stream<String> classes =
                from.getDirectDependenciesFromSelf().stream()
                        .filter(each -> Floors.isMachine(element(each.getTargetClass())))
                        .map(Dependency::getDescription);
        Stream<String> methods =
                from.getMethodCallsFromSelf().stream()
                        .filter(each -> Floors.isMachineMethod(method(each)))
                        .map(JavaMethodCall::getDescription);
        return Stream.concat(classes, methods);
    }

    private static String element(JavaClass type) {
        return type.getBaseComponentType().getName();
    }

    private static String method(JavaMethodCall call) {
        return call.getTargetOwner().getName() + "." + call.getName();
    }

    // the map itself

    @Test
    void siblings_doNotSeeEachOther() {
        assertFalse(Floors.maySee("wire", "directory"));
        assertFalse(Floors.maySee("sync", "coherence"));
        assertTrue(Floors.maySee("kernel", "sync"));
        assertFalse(Floors.maySee("sync", "kernel"));
    }

    @Test
    void wing_isSeenByAgentAndApplicationAloneAndSeesTheModelAlone() {
        assertTrue(Floors.maySee("agent", Floors.WING));
        assertTrue(Floors.maySee("application", Floors.WING));
        assertFalse(Floors.maySee("kernel", Floors.WING));
        assertFalse(Floors.maySee("transport", Floors.WING));
        assertTrue(Floors.maySeeOfWing("transport", "io.muninn.nativefault.PeerUser"));
        assertFalse(Floors.maySeeOfWing("transport", "io.muninn.nativefault.FaultEngine"));
        assertFalse(Floors.maySeeOfWing("kernel", "io.muninn.nativefault.PeerUser"));
        assertTrue(Floors.maySee(Floors.WING, "model"));
        assertFalse(Floors.maySee(Floors.WING, "api"));
    }

    @Test
    void machine_isKnownByPackageClassAndMethod() {
        assertTrue(Floors.isMachine("java.io.IOException"));
        assertTrue(Floors.isMachine("java.util.concurrent.atomic.AtomicLong"));
        assertTrue(Floors.isMachine("java.util.HashMap"));
        assertFalse(Floors.isMachine("java.util.LinkedHashMap"));
        assertTrue(Floors.isMachineMethod("java.lang.System.nanoTime"));
        assertFalse(Floors.isMachineMethod("java.lang.System.arraycopy"));
    }
}
