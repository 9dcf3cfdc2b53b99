package tapbench;

/** How the tests of a class use sandboxes. */
public enum SandboxScope {
    /** Each test has a new sandbox. */
    EACH_TEST,

    /** All tests of the class share one sandbox, deleted after the last of them. */
    CLASS,

    /**
     * Each test has a fork of the sandbox that a {@code @BeforeAll} method prepared, with everything in it. The method gets the
     * prepared sandbox as a parameter.
     */
    FORK_OF_PREPARED
}
