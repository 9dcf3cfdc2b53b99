package tapbench;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/** What a scenario expects of a value: members at any depth, and as many items of a list. */
record Expected(Object value) {
    /** Fails unless a value is as expected. */
    void assertMatches(Object actual) {
        mismatch(value, actual, "reply").ifPresent(found -> {
            throw new AssertionError(found);
        });
    }

    boolean matches(Object actual) {
        return mismatch(value, actual, "reply").isEmpty();
    }

    /** Returns where a value differs. */
    private static Optional<String> mismatch(Object expected, Object actual, String path) {
        if (expected instanceof Map<?, ?> members && actual instanceof Map<?, ?> found) {
            return members.entrySet().stream()
                    .flatMap(member -> mismatch(member.getValue(), found.get(member.getKey()), path + "." + member.getKey())
                            .stream())
                    .findFirst();
        }
        if (expected instanceof List<?> items && actual instanceof List<?> found && items.size() == found.size()) {
            return IntStream.range(0, items.size()).boxed()
                    .flatMap(index -> mismatch(items.get(index), found.get(index), path + "[" + index + "]").stream())
                    .findFirst();
        }
        return Objects.equals(expected, actual) ? Optional.empty()
                : Optional.of(path + " is " + actual + ", expected " + expected);
    }
}
