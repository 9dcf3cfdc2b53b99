package tapbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** The sandboxes of each {@link SandboxScope}. */
class ScopesTest {
    private static final Map<String, String> SAM = Map.of("email", "sam@example.com");

    private static List<Json> customers(Sandbox sandbox) {
        return sandbox.client().get("/v1/customers").objects("items");
    }

    @Nested
    @WithSandbox
    class EachTest {
        private Sandbox before;

        @BeforeEach
        void keep(Sandbox sandbox) {
            before = sandbox;
        }

        @RepeatedTest(2)
        void aTestHasTheNewSandboxOfItsBeforeEach(Sandbox sandbox) {
            assertSame(before, sandbox);
            assertEquals(List.of(), customers(sandbox));
            sandbox.client().post("/v1/customers", SAM);
        }

        @Nested
        class Inside {
            @Test
            void aNestedTestHasTheSandboxOfTheOuterBeforeEach(Sandbox sandbox) {
                assertSame(before, sandbox);
            }
        }
    }

    @Nested
    @WithSandbox(SandboxScope.CLASS)
    class OfTheClass {
        private static Sandbox shared;

        @BeforeAll
        static void keep(Sandbox sandbox) {
            shared = sandbox;
        }

        @RepeatedTest(2)
        void allTestsShareOne(Sandbox sandbox) {
            assertSame(shared, sandbox);
        }

        @Nested
        class Inside {
            @Test
            void nestedTestsShareIt(Sandbox sandbox) {
                assertSame(shared, sandbox);
            }
        }
    }

    @Nested
    @WithSandbox(SandboxScope.FORK_OF_PREPARED)
    class ForkOfPrepared {
        private static Sandbox prepared;

        @BeforeAll
        static void prepare(Sandbox sandbox) {
            sandbox.client().post("/v1/customers", SAM);
            prepared = sandbox;
        }

        @RepeatedTest(2)
        void eachTestHasAForkOfWhatWasPrepared(Sandbox sandbox) {
            assertNotEquals(prepared.name(), sandbox.name());
            assertEquals(1, customers(sandbox).size());
            // No test has used the terminal of the prepared one: its cardholder waits for the test here too.
            String path = "/sandbox/terminals/" + sandbox.terminal().id() + "/paper";
            assertEquals("none", sandbox.client().post(path, Map.of("sheets", 5)).text("cardholder"));
            sandbox.client().post("/v1/customers", Map.of("email", "kim@example.com"));
            assertEquals(1, customers(prepared).size());
        }
    }
}
