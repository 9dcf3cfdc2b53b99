package tapbench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a scenario saved under names. */
final class Saved {
    private static final Pattern NAME = Pattern.compile("\\{([\\w.]+)\\}");

    private final Map<String, Object> values = new LinkedHashMap<>();

    Saved copy() {
        Saved copy = new Saved();
        copy.values.putAll(values);
        return copy;
    }

    void put(String name, Json value) {
        values.put(name, value.members());
    }

    Json get(String name) {
        return Json.of(values).object(name);
    }

    /** Returns a value with {@code {name.member}} replaced by what was saved under the name. */
    Object filled(Object value) {
        if (value instanceof Map<?, ?> members) {
            Map<String, Object> filled = new LinkedHashMap<>();
            members.forEach((name, member) -> filled.put((String) name, filled(member)));
            return filled;
        }
        if (value instanceof List<?> items) {
            List<Object> filled = new ArrayList<>();
            items.forEach(item -> filled.add(filled(item)));
            return filled;
        }
        return value instanceof String text ? filled(text) : value;
    }

    private Object filled(String text) {
        Matcher name = NAME.matcher(text);
        if (name.matches()) {
            return named(name.group(1));
        }
        return NAME.matcher(text).replaceAll(part -> Matcher.quoteReplacement(String.valueOf(named(part.group(1)))));
    }

    private Object named(String path) {
        Object value = Json.of(values).value(path);
        if (value == null) {
            throw new AssertionError("nothing is saved as " + path);
        }
        return value;
    }
}
