package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of the study of machines without coherent caches, live. */
@Tag("e2e")
@Tag("slow")
class RestructuredE2eTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "gauss-flags --size 48",
                "gauss-flags --size 48 --structure separated",
                "gauss-flags --size 48 --structure readers",
                "gauss-flags --size 48 --structure remote",
                "fft-1d --points 1024",
                "mp3d --particles 400 --steps 2",
                "mp3d --particles 400 --steps 2 --structure separated",
                "mp3d --particles 400 --steps 2 --structure padded",
                "mp3d --particles 400 --steps 2 --structure sorted",
                "mp3d --particles 400 --steps 2 --structure remote",
                "water-nsq --molecules 64 --steps 1 --structure plain",
                "water-nsq --molecules 64 --steps 1 --structure padded",
                "water-nsq --molecules 64 --steps 1 --structure separated",
                "water-nsq --molecules 64 --steps 1 --structure remote",
                "appbt --size 8 --steps 2",
                "appbt --size 8 --steps 2 --structure aligned",
                "appbt --size 8 --steps 2 --structure remote"
            })
    void everyLevel_isVerified(String words) throws InterruptedException {
        for (String protocol : new String[] {"", " --protocol weak"}) {
            JsonObject report = DsmRun.report("-n 3" + protocol, words);
            assertTrue(report.get("verified").getAsBoolean(), words + protocol + ": " + report);
        }
    }
}
