package tapbench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;

/**
 * An object of JSON, as a reply or an event has it.
 *
 * <p>A path names a member at any depth: {@code paymentMethod.card.last4}, {@code items.0.id}. Values are {@link String},
 * {@link Long} or {@link java.math.BigDecimal}, {@link Boolean}, null, {@link List} and {@link Map}.
 */
public final class Json {
    private final Map<String, Object> members;

    private Json(Map<String, Object> members) {
        this.members = members;
    }

    /** Returns the object with these members. */
    public static Json of(Map<String, ?> members) {
        return new Json(Collections.unmodifiableMap(new LinkedHashMap<>(members)));
    }

    /** Returns the object that a text has. Throws IllegalArgumentException for other text. */
    static Json parse(String text) {
        if (JsonParser.parse(text) instanceof Map<?, ?> members) {
            return ofParsed(members);
        }
        throw new IllegalArgumentException("the JSON is no object");
    }

    private static Json ofParsed(Map<?, ?> members) {
        Map<String, Object> named = new LinkedHashMap<>();
        members.forEach((name, member) -> named.put((String) name, member));
        return of(named);
    }

    /** Returns the members, in their order. */
    public Map<String, Object> members() {
        return members;
    }

    /** Returns the value at a path; null where there is none. */
    public Object value(String path) {
        Object value = members;
        for (String name : path.split("\\.")) {
            if (value instanceof Map<?, ?> object) {
                value = object.get(name);
            } else if (value instanceof List<?> list && name.matches("\\d{1,9}") && Integer.parseInt(name) < list.size()) {
                value = list.get(Integer.parseInt(name));
            } else {
                return null;
            }
        }
        return value;
    }

    /** Returns the text at a path. Throws NoSuchElementException where there is none. */
    public String text(String path) {
        return typed(path, String.class, "text");
    }

    /** Returns the whole number at a path, such as an amount. Throws NoSuchElementException where there is none. */
    public long number(String path) {
        return typed(path, Long.class, "whole number");
    }

    /** Returns the boolean at a path. Throws NoSuchElementException where there is none. */
    public boolean flag(String path) {
        return typed(path, Boolean.class, "boolean");
    }

    /** Returns the object at a path. Throws NoSuchElementException where there is none. */
    public Json object(String path) {
        return ofParsed(typed(path, Map.class, "object"));
    }

    /** Returns the list of objects at a path. Throws NoSuchElementException where there is none. */
    public List<Json> objects(String path) {
        int size = typed(path, List.class, "list").size();
        return IntStream.range(0, size).mapToObj(index -> object(path + "." + index)).toList();
    }

    /** Returns this object with the members of another in place of its own. */
    public Json with(Json other) {
        Map<String, Object> all = new LinkedHashMap<>(members);
        all.putAll(other.members);
        return of(all);
    }

    private <T> T typed(String path, Class<T> type, String what) {
        Object value = value(path);
        if (type.isInstance(value)) {
            return type.cast(value);
        }
        throw new NoSuchElementException("there is no " + what + " at " + path + " of " + this);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Json json && members.equals(json.members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    /** Returns the JSON with its secrets masked. */
    @Override
    public String toString() {
        return JsonWriter.write(Secrets.masked(members));
    }
}
