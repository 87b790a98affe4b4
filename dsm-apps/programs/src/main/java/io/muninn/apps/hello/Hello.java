package io.muninn.apps.hello;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import java.util.List;

/** The entry of {@link HelloProgram} in the list of programs. */
public final class Hello implements BuiltInProgram {
    @Override
    public String name() {
        return "hello";
    }

    @Override
    public String summary() {
        return "one node writes a word, the others read it";
    }

    @Override
    public String usage() {
        return """
        --version V      dsm (dsm)
        """;
    }

    @Override
    public List<String> versions() {
        return List.of("dsm");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options = Options.parse(words, "version=");
        options.choice("version", versions());
        return new HelloProgram();
    }
}
