package tapbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the scenarios that the packages of all languages can do. */
@WithSandbox
class ScenariosTest {
    private static final Path FILE = Path.of("../scenarios.json");

    static Stream<Named<List<Json>>> scenarios() throws IOException {
        List<Json> scenarios = Json.parse(Files.readString(FILE)).objects("scenarios");
        assertFalse(scenarios.isEmpty(), "scenarios.json has no scenarios");
        return scenarios.stream().map(scenario -> Named.of(scenario.text("name"), scenario.objects("steps")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scenarios")
    void scenario(List<Json> steps, Sandbox sandbox) {
        new ScenarioRun(sandbox).run(steps);
    }

    @Test
    void anUnknownStepFails(Sandbox sandbox) {
        List<Json> steps = List.of(Json.of(Map.of("do", "dance")));
        AssertionError thrown = assertThrows(AssertionError.class, () -> new ScenarioRun(sandbox).run(steps));
        assertEquals("unknown step: dance", thrown.getMessage());
    }
}
