package tapbench;

import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Creates the sandboxes of {@link WithSandbox} when a method asks for one, and ends their use. */
final class SandboxExtension implements ParameterResolver, AfterEachCallback, AfterAllCallback {
    private static final Namespace NAMESPACE = Namespace.create(SandboxExtension.class);

    private static final String OF_TEST = "sandbox of the test";
    private static final String OF_CLASS = "sandbox of the class";

    SandboxExtension() {
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Sandbox.class || type == Server.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (parameter.getParameter().getType() == Server.class) {
            return Server.ofRun();
        }
        boolean isOfTest = context.getTestMethod().isPresent();
        return switch (scopeOf(context)) {
            case CLASS -> ofClass(context);
            case FORK_OF_PREPARED -> isOfTest ? forkFor(context) : ofClass(context);
            case EACH_TEST -> {
                if (!isOfTest) {
                    throw new ParameterResolutionException("a test has its sandbox from @BeforeEach to @AfterEach: "
                            + "@WithSandbox(CLASS) and @WithSandbox(FORK_OF_PREPARED) have one for the class");
                }
                yield createFor(context);
            }
        };
    }

    private static SandboxScope scopeOf(ExtensionContext context) {
        for (Class<?> type = context.getRequiredTestClass(); type != null; type = type.getEnclosingClass()) {
            Optional<WithSandbox> found = AnnotationSupport.findAnnotation(type, WithSandbox.class);
            if (found.isPresent()) {
                return found.get().value();
            }
        }
        return SandboxScope.EACH_TEST;
    }

    private static Sandbox createFor(ExtensionContext context) {
        return inUse(context, OF_TEST).get(() -> Server.ofRun().createSandbox(), nameOf(context));
    }

    private static Sandbox forkFor(ExtensionContext context) {
        return inUse(context, OF_TEST).get(ofClass(context)::fork, nameOf(context));
    }

    private static Sandbox ofClass(ExtensionContext context) {
        ExtensionContext ofClass = classOf(context);
        return inUse(ofClass, OF_CLASS).get(() -> Server.ofRun().createSandbox(), nameOf(ofClass));
    }

    private static SandboxInUse inUse(ExtensionContext context, String key) {
        return storeOf(context).getOrComputeIfAbsent(key, unused -> new SandboxInUse(), SandboxInUse.class);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        SandboxInUse ofClass = storeOf(context).get(OF_CLASS, SandboxInUse.class);
        boolean isShared = ofClass != null && scopeOf(context) == SandboxScope.CLASS;
        endUse(context, OF_TEST, isShared ? Optional.of(ofClass) : Optional.empty());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        endUse(context, OF_CLASS, Optional.empty());
    }

    private static void endUse(ExtensionContext context, String key, Optional<SandboxInUse> shared) {
        Optional<SandboxInUse> own = Optional.ofNullable(storeOf(context).remove(key, SandboxInUse.class));
        context.getExecutionException().ifPresent(failure ->
                Stream.concat(shared.stream(), own.stream()).forEach(used -> used.failed(failure)));
        own.ifPresent(SandboxInUse::end);
    }

    private static Store storeOf(ExtensionContext context) {
        return context.getStore(NAMESPACE);
    }

    /** Returns the context of the class of a test. */
    private static ExtensionContext classOf(ExtensionContext context) {
        ExtensionContext found = context;
        while (found.getTestMethod().isPresent()) {
            found = found.getParent().orElseThrow();
        }
        return found;
    }

    /** Returns the name of a test or class; that of a test which runs several times has the name of each. */
    private static String nameOf(ExtensionContext context) {
        String ofClass = context.getRequiredTestClass().getName();
        boolean isOneOfSeveral = context.getParent().flatMap(ExtensionContext::getTestMethod).isPresent();
        String ofTest = context.getTestMethod().map(method -> "." + method.getName()).orElse("");
        return ofClass + ofTest + (isOneOfSeveral ? " " + context.getDisplayName() : "");
    }
}
