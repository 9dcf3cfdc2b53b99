package tapbench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Keeps keys and secrets out of the output of failed tests. */
final class Secrets {
    private static final Set<String> MEMBERS =
            Set.of("secretKey", "publicKey", "secret", "clientSecret", "dashboardUrl");

    private Secrets() {
    }

    /** Returns a JSON value without its secrets. */
    static Object masked(Object value) {
        if (value instanceof Map<?, ?> members) {
            Map<String, Object> masked = new LinkedHashMap<>();
            members.forEach((name, member) -> {
                boolean isSecret = MEMBERS.contains(name) && member instanceof String;
                masked.put((String) name, isSecret ? "··" : masked(member));
            });
            return masked;
        }
        if (value instanceof List<?> items) {
            List<Object> masked = new ArrayList<>();
            items.forEach(item -> masked.add(masked(item)));
            return masked;
        }
        return value;
    }
}
