package tapbench;

import java.util.Collection;
import java.util.Map;

/** Writes JSON. */
final class JsonWriter {
    private final StringBuilder text = new StringBuilder();

    private JsonWriter() {
    }

    /** Returns the JSON of maps, collections, text, numbers, booleans and null. Throws IllegalArgumentException for others. */
    static String write(Object value) {
        JsonWriter writer = new JsonWriter();
        writer.value(value);
        return writer.text.toString();
    }

    private void value(Object value) {
        if (value == null || value instanceof Boolean || value instanceof Number) {
            text.append(value);
        } else if (value instanceof String string) {
            string(string);
        } else if (value instanceof Json json) {
            object(json.members());
        } else if (value instanceof Map<?, ?> members) {
            object(members);
        } else if (value instanceof Collection<?> items) {
            list(items);
        } else {
            throw new IllegalArgumentException("a " + value.getClass().getName() + " cannot be written as JSON");
        }
    }

    private void object(Map<?, ?> members) {
        String separator = "{";
        for (Map.Entry<?, ?> member : members.entrySet()) {
            text.append(separator);
            string((String) member.getKey());
            text.append(':');
            value(member.getValue());
            separator = ",";
        }
        text.append(members.isEmpty() ? "{}" : "}");
    }

    private void list(Collection<?> items) {
        String separator = "[";
        for (Object item : items) {
            text.append(separator);
            value(item);
            separator = ",";
        }
        text.append(items.isEmpty() ? "[]" : "]");
    }

    private void string(String string) {
        text.append('"');
        for (char character : string.toCharArray()) {
            if (character == '"' || character == '\\') {
                text.append('\\').append(character);
            } else if (character < ' ' || Character.isSurrogate(character)) {
                text.append(String.format("\\u%04x", (int) character));
            } else {
                text.append(character);
            }
        }
        text.append('"');
    }
}
