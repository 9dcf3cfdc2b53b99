package tapbench;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for what happens on the server. */
public final class Wait {
    /** How long calls wait in real time unless told otherwise. */
    public static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final int[] PAUSES_MS = {5, 10, 20, 40, 80};

    private Wait() {
    }

    /** Calls {@code look} until it returns true. Throws {@link NotInTime} after {@link #TIMEOUT}. */
    public static void until(String what, BooleanSupplier look) {
        until(what, look, TIMEOUT);
    }

    /** Calls {@code look} until it returns true. Throws {@link NotInTime} after {@code timeout} of real time. */
    public static void until(String what, BooleanSupplier look, Duration timeout) {
        find(what, () -> look.getAsBoolean() ? Optional.of(true) : Optional.empty(), timeout);
    }

    /** Calls {@code look} until it returns a value, and returns that. Throws {@link NotInTime} after {@link #TIMEOUT}. */
    public static <T> T find(String what, Supplier<Optional<T>> look) {
        return find(what, look, TIMEOUT);
    }

    /** Calls {@code look} until it returns a value, and returns that. Throws {@link NotInTime} after {@code timeout}. */
    public static <T> T find(String what, Supplier<Optional<T>> look, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        for (int attempt = 0; ; attempt++) {
            Optional<T> found = look.get();
            if (found.isPresent()) {
                return found.get();
            }
            if (System.nanoTime() >= end) {
                throw notInTime(what, timeout);
            }
            pause(Duration.ofMillis(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)]));
        }
    }

    static NotInTime notInTime(String what, Duration timeout) {
        return new NotInTime("waited " + inSeconds(timeout) + " s, but not: " + what);
    }

    /** Pauses this thread. An interrupt ends the test in words. */
    static void pause(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException interrupted) {
            throw interrupted("waiting");
        }
    }

    /** Returns what is thrown when the thread of a test is interrupted, which stays so. */
    static NotInTime interrupted(String what) {
        Thread.currentThread().interrupt();
        return new NotInTime("the test was interrupted while " + what);
    }

    /** Returns a duration such as {@code 20} or {@code 0.05}. */
    static String inSeconds(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
    }
}
