package tapbench;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A step of a scenario, with the names in it replaced by what was saved. */
final class ScenarioStep {
    private final Json members;

    ScenarioStep(Json step, Saved saved) {
        members = Json.of(Map.of("step", saved.filled(step.members()))).object("step");
    }

    String name() {
        return text("do");
    }

    boolean has(String path) {
        return members.value(path) != null;
    }

    String text(String path) {
        return members.text(path);
    }

    long number(String path) {
        return members.number(path);
    }

    boolean flag(String path) {
        return members.flag(path);
    }

    /** Returns the members of an object; none where there is no such object. */
    Map<String, Object> members(String path) {
        return has(path) ? members.object(path).members() : Map.of();
    }

    String[] texts(String path) {
        return list(path).stream().map(String.class::cast).toArray(String[]::new);
    }

    Integer[] statuses() {
        return list("statuses").stream().map(status -> ((Long) status).intValue()).toArray(Integer[]::new);
    }

    private List<?> list(String path) {
        return (List<?>) members.value(path);
    }

    Duration duration(String path) {
        return Duration.ofDays(numberOrZero(path + "days")).plusMinutes(numberOrZero(path + "minutes"))
                .plusSeconds(numberOrZero(path + "seconds"));
    }

    private long numberOrZero(String path) {
        return has(path) ? number(path) : 0;
    }

    Expected expected() {
        return new Expected(members("expect"));
    }

    /** Returns what is expected where that is a list. */
    Expected expectedList() {
        return new Expected(list("expect"));
    }

    /** Returns those of the members that the step has. */
    Map<String, Object> only(String... names) {
        return Stream.of(names).filter(this::has).collect(Collectors.toMap(name -> name, members::value));
    }

    @SuppressWarnings("unchecked")
    Map<String, Object>[] objects(String path) {
        return members.objects(path).stream().map(Json::members).toArray(Map[]::new);
    }

    Card card() {
        return switch (text("card")) {
            case "approved" -> TestCards.APPROVED;
            case "challenged" -> TestCards.CHALLENGED;
            case "declined" -> TestCards.DECLINED;
            default -> throw new AssertionError("unknown card: " + text("card"));
        };
    }
}
