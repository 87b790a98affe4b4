package io.muninn.sim.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelFileTest {
    @Test
    void everyModel_isComplete() {
        List<String> names = SmpModel.names();

        assertEquals("smp-1998", names.getFirst());
        names.forEach(name -> assertEquals(name, SmpModel.named(name).name()));
    }

    @Test
    void widerBuses_carryTwiceAsMuch() {
        SmpModel plain = SmpModel.named("smp-1998");
        SmpModel wide = SmpModel.named("smp-1998-wide");

        assertEquals(2 * plain.memoryBus().widthBytes(), wide.memoryBus().widthBytes());
        assertEquals(2 * plain.ioBus().widthBytes(), wide.ioBus().widthBytes());
        assertEquals(plain.handlers(), wide.handlers());
    }

    /** The rates of section 4. */
    @Test
    void busesOf1998_haveTheRatesOfThePaper() {
        SmpModel model = SmpModel.named("smp-1998");

        assertEquals(400, megabytesPerSecond(model.memoryBus()));
        assertEquals(100, megabytesPerSecond(model.ioBus()));
    }

    private static long megabytesPerSecond(BusShape bus) {
        return 1_000_000L * bus.widthBytes() / bus.cyclePicos();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a | 1 | x",
                "[m]\na | 1",
                "[m]\na | 1 | ",
                "[m]\na | -1 | x",
                "[m : n]\na | 1 | x"
            })
    void malformedFile_isRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> ModelFile.parse(text));
    }

    @Test
    void derivedModel_replacesValues() {
        ModelFile file = ModelFile.parse("[m]\na | 1 | x\nb | 2 | x\n[n : m]\nb | 3 | x");
        ModelFile.Values values = file.model("n");

        assertEquals(1, values.take("a"));
        assertThrows(IllegalArgumentException.class, values::checkEmpty);
        assertEquals(3, values.take("b"));
        values.checkEmpty();
        assertThrows(IllegalArgumentException.class, () -> values.take("b"));
    }

    @ParameterizedTest
    @CsvSource({"5000, 524288", "8192, 500000", "8192, 4096", "16, 524288", "0, 524288"})
    void cachesOfOtherSizes_areRefused(int firstBytes, int secondBytes) {
        CacheShape shape = SmpModel.named("smp-1998").caches();

        assertThrows(
                IllegalArgumentException.class, () -> shape.withBytes(firstBytes, secondBytes));
    }
}
