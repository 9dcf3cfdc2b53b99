package tapbench;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses JSON (RFC 8259) of a bounded depth. */
final class JsonParser {
    private static final int DEPTH_MAX = 64;

    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");

    /** Digits that always fit a long. */
    private static final int LONG_DIGITS = 18;

    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private final String text;
    private int position;
    private int depth;

    private JsonParser(String text) {
        this.text = text;
    }

    /** Returns the value that a text has. Throws IllegalArgumentException for text that is not JSON. */
    static Object parse(String text) {
        JsonParser parser = new JsonParser(text);
        Object value = parser.value();
        if (parser.position < text.length()) {
            throw parser.unexpected();
        }
        return value;
    }

    /** Reads a value and the space around it. */
    private Object value() {
        skipSpace();
        Object value = switch (peek()) {
            case '{' -> nested(this::object);
            case '[' -> nested(this::list);
            case '"' -> string();
            case 't' -> literal("true", true);
            case 'f' -> literal("false", false);
            case 'n' -> literal("null", null);
            default -> number();
        };
        skipSpace();
        return value;
    }

    private Object nested(Supplier<Object> read) {
        if (++depth > DEPTH_MAX) {
            throw new IllegalArgumentException("the JSON is nested more than " + DEPTH_MAX + " deep");
        }
        position++;
        skipSpace();
        Object value = read.get();
        depth--;
        return value;
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        if (take('}')) {
            return members;
        }
        do {
            skipSpace();
            String name = string();
            skipSpace();
            expect(':');
            members.put(name, value());
        } while (take(','));
        expect('}');
        return members;
    }

    private List<Object> list() {
        List<Object> items = new ArrayList<>();
        if (take(']')) {
            return items;
        }
        do {
            items.add(value());
        } while (take(','));
        expect(']');
        return items;
    }

    private String string() {
        expect('"');
        StringBuilder string = new StringBuilder();
        while (!take('"')) {
            char character = peek();
            if (character < ' ') {
                throw unexpected();
            }
            position++;
            string.append(character == '\\' ? escaped() : character);
        }
        return string.toString();
    }

    private char escaped() {
        int index = ESCAPES.indexOf(peek());
        if (index >= 0) {
            position++;
            return ESCAPED.charAt(index);
        }
        expect('u');
        int end = position + 4;
        if (end > text.length() || !text.substring(position, end).matches("[0-9a-fA-F]{4}")) {
            throw unexpected();
        }
        char character = (char) Integer.parseInt(text, position, end, 16);
        position = end;
        return character;
    }

    private Object literal(String name, Object value) {
        if (!text.startsWith(name, position)) {
            throw unexpected();
        }
        position += name.length();
        return value;
    }

    private Object number() {
        Matcher found = NUMBER.matcher(text).region(position, text.length());
        if (!found.lookingAt()) {
            throw unexpected();
        }
        position = found.end();
        boolean isWhole = found.group(1) == null && found.group(2) == null;
        String digits = found.group();
        return isWhole && digits.length() <= LONG_DIGITS ? (Object) Long.valueOf(digits) : new BigDecimal(digits);
    }

    private void skipSpace() {
        while (position < text.length() && " \t\n\r".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
    }

    /** Returns the next character; a zero at the end, which JSON never has. */
    private char peek() {
        return position < text.length() ? text.charAt(position) : 0;
    }

    private boolean take(char character) {
        boolean isNext = peek() == character;
        position += isNext ? 1 : 0;
        return isNext;
    }

    private void expect(char character) {
        if (!take(character)) {
            throw unexpected();
        }
    }

    private IllegalArgumentException unexpected() {
        String what = position < text.length() ? "character" : "end";
        return new IllegalArgumentException("the JSON has an unexpected " + what + " at " + position);
    }
}
