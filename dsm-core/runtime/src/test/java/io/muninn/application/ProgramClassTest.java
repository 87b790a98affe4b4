package io.muninn.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmException;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every form of a class: it is a program, or the error gives the reason. */
class ProgramClassTest {
    /** Records its options. */
    abstract static class Base implements DsmProgram {
        final List<String> options;

        Base(List<String> options) {
            this.options = options;
        }

        @Override
        public void run(DsmNode node) {}
    }

    static final class WithArray extends Base {
        WithArray(String[] options) {
            super(List.of(options));
        }
    }

    protected static final class WithList extends Base {
        protected WithList(List<String> options) {
            super(options);
        }

        static final class Deeper extends Base {
            Deeper(String... options) {
                super(List.of(options));
            }
        }
    }

    record OfRecord(List<String> options) implements DsmProgram {
        @Override
        public void run(DsmNode node) {}
    }

    public static final class PublicWithout extends Base {
        public PublicWithout() {
            super(List.of());
        }

        PublicWithout(String[] forTests) {
            super(List.of(forTests));
        }
    }

    static final class PrivateBesides extends Base {
        PrivateBesides(List<String> options) {
            super(options);
        }

        private PrivateBesides(String[] options) {
            super(List.of("private"));
        }
    }

    static final class Private extends Base {
        private Private() {
            super(List.of());
        }
    }

    interface Interface extends DsmProgram {}

    enum Enumeration implements DsmProgram {
        ONE;

        @Override
        public void run(DsmNode node) {}
    }

    final class Inner extends Base {
        Inner() {
            super(List.of());
        }
    }

    static final class OtherParameters extends Base {
        OtherParameters(int rows) {
            super(List.of("" + rows));
        }
    }

    static final class Throwing extends Base {
        Throwing(String[] options) throws Exception {
            super(List.of());
            if (options.length == 0) {
                throw new IllegalArgumentException();
            }
            if (options[0].equals("refused")) {
                throw new IllegalArgumentException("no such option: refused");
            }
            throw new Exception("no disk");
        }
    }

    static final class Static extends Base {
        static final int ROWS = Integer.parseInt("many");

        Static() {
            super(List.of("" + ROWS));
        }
    }

    private static DsmProgram program(String name, String... options) {
        return ProgramClass.find(name, ProgramClassTest.class.getClassLoader())
                .orElseThrow()
                .create(List.of(options));
    }

    private static String named(String nested) {
        return ProgramClassTest.class.getName() + nested;
    }

    @ParameterizedTest
    @ValueSource(strings = {"$WithArray", "$WithList", "$WithList$Deeper", "$PrivateBesides"})
    void constructorThatIsNotPrivate_getsTheOptions(String nested) {
        Base program = (Base) program(named(nested), "--rows", "7");

        assertEquals(List.of("--rows", "7"), program.options);
    }

    @Test
    void recordOfOptions_isAProgram() {
        assertEquals(new OfRecord(List.of("a")), program(named("$OfRecord"), "a"));
    }

    @Test
    void publicConstructor_isChosenBeforeOthers() {
        assertEquals(List.of(), ((Base) program(named("$PublicWithout"))).options);
        IllegalArgumentException refusal =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> program(named("$PublicWithout"), "--rows"));
        assertEquals("unknown option --rows; there are none", refusal.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$WithList$Deeper",
                "$WithList.Deeper",
                ".WithList$Deeper",
                ".WithList.Deeper"
            })
    void nestedClass_isFoundByItsNameInSource(String nested) {
        assertEquals(WithList.Deeper.class, program(named(nested)).getClass());
        assertEquals(
                WithList.Deeper.class,
                program(named(nested).replace("io.muninn.application.", "io/muninn/application/"))
                        .getClass());
    }

    @Test
    void unknownClass_isNotFound() {
        ClassLoader loader = ProgramClassTest.class.getClassLoader();

        assertTrue(ProgramClass.find(named(".NoSuch"), loader).isEmpty());
        assertTrue(ProgramClass.find("", loader).isEmpty());
        assertTrue(ProgramClass.find("no such.class/name..$", loader).isEmpty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                " | does not implement DsmProgram",
                "$Private | has a private constructor; remove 'private' from it",
                "$Base | is abstract; name a class that extends it",
                "$Interface | is an interface; name a class that implements it",
                "$Enumeration | is an enum, whose objects cannot be made; declare a class",
                "$Inner | is an inner class, which needs an outer object; declare it static",
                "$OtherParameters | has no constructor that takes a String[], a List<String> or"
                        + " nothing",
                "$Throwing | refuses its options: java.lang.IllegalArgumentException"
            })
    void classOfAnotherForm_isRefusedWithASentence(String nested, String sentence) {
        String name = named(nested == null ? "" : nested);

        String refusal =
                assertThrows(IllegalArgumentException.class, () -> program(name)).getMessage();

        assertEquals("class " + name + " " + sentence, refusal);
    }

    @Test
    void optionsThatTheConstructorRefuses_areRefusedInItsWords() {
        String name = named("$Throwing");

        String refusal =
                assertThrows(IllegalArgumentException.class, () -> program(name, "refused"))
                        .getMessage();

        assertEquals("no such option: refused", refusal);
    }

    @Test
    void exceptionOfTheProgram_isNamedAndTheCause() {
        DsmException thrown =
                assertThrows(DsmException.class, () -> program(named("$Throwing"), "disk"));
        DsmException ofClass = assertThrows(DsmException.class, () -> program(named("$Static")));

        assertEquals(
                "class "
                        + named("$Throwing")
                        + " cannot be constructed: "
                        + "java.lang.Exception: no disk",
                thrown.getMessage());
        assertTrue(
                ofClass.getMessage()
                        .startsWith(
                                "class "
                                        + named("$Static")
                                        + " cannot be initialized: java.lang.NumberFormat"),
                ofClass.getMessage());
        assertEquals(NumberFormatException.class, ofClass.getCause().getClass());
    }
}
