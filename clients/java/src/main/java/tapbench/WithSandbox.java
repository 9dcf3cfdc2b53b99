package tapbench;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives the tests of a class a {@link Sandbox} as a parameter, and their {@code @BeforeEach} and {@code @AfterEach} methods the
 * same one. A parameter of type {@link Server} is the server of the run.
 *
 * <p>At its end a test fails when faults of its plans have struck nothing, unless {@link Sandbox#allowUnstruck} was called. A
 * test that fails leaves a trace file, which its output names.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SandboxExtension.class)
public @interface WithSandbox {
    /** Returns whether each test has a sandbox, or the class. */
    SandboxScope value() default SandboxScope.EACH_TEST;
}
