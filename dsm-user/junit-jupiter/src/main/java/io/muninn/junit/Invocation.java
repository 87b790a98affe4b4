package io.muninn.junit;

import java.util.List;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;

/** The call of a test method for one of its annotations. */
final class Invocation
        implements TestTemplateInvocationContext, ParameterResolver, AfterTestExecutionCallback {
    private final String name;
    private final TestCluster cluster;
    private boolean hasRun;

    /**
     * @param name says where the programs run
     */
    Invocation(String name, TestCluster cluster) {
        this.name = name;
        this.cluster = cluster;
    }

    @Override
    public String getDisplayName(int index) {
        return name;
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
        return List.of(this);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == TestCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        TestCluster noted =
                (program, words) -> {
                    hasRun = true;
                    return cluster.run(program, words);
                };
        return noted;
    }

    @Override
    public void afterTestExecution(ExtensionContext test) {
        if (!hasRun && test.getExecutionException().isEmpty()) {
            throw new AssertionError(
                    "the test has run no program; give "
                            + test.getRequiredTestMethod().getName()
                            + " a parameter TestCluster, and call its run");
        }
    }
}
