package tapbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void aTextIsParsedIntoValues() {
        Object parsed = JsonParser.parse(" { \"a\" : [ 1 , -2.50, 1e2, true, false, null, [], {} ] , \"b\": \"x\" } ");
        List<Object> items = Arrays.asList(1L, new BigDecimal("-2.50"), new BigDecimal("1e2"), true, false, null,
                List.of(), Map.of());
        assertEquals(Map.of("a", items, "b", "x"), parsed);
    }

    @Test
    void aNumberBeyondALongIsKeptWhole() {
        assertEquals(new BigDecimal("12345678901234567890"), JsonParser.parse("12345678901234567890"));
        assertEquals(999_999_999_999_999_999L, JsonParser.parse("999999999999999999"));
    }

    @Test
    void escapesAreTheirCharacters() {
        assertEquals("\"\\/\b\f\n\r\té😀", JsonParser.parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", " ", "{", "[", "[1", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "01", "-", "1.", ".5", "+1",
        "1e", "tru", "True", "nul", "\"", "\"a", "\"\\x\"", "\"\\u12g4\"", "\"\\u12", "\"\n\"", "1 2", "{}}", "[1}", "NaN"})
    void textThatIsNotJsonIsRefused(String text) {
        String message = assertThrows(IllegalArgumentException.class, () -> JsonParser.parse(text)).getMessage();
        assertTrue(message.matches("the JSON has an unexpected (character|end) at \\d+"), message);
    }

    @Test
    void aDepthOf64IsParsedAndAGreaterOneRefused() {
        Object parsed = JsonParser.parse("[".repeat(64) + "]".repeat(64));
        for (int depth = 1; depth < 64; depth++) {
            parsed = ((List<?>) parsed).get(0);
        }
        assertEquals(List.of(), parsed);
        String deeper = "[".repeat(100_000);
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> JsonParser.parse(deeper));
        assertEquals("the JSON is nested more than 64 deep", thrown.getMessage());
    }

    @Test
    void whatIsWrittenIsParsedAsItWas() {
        Map<String, Object> value = Map.of("text", "a\"\\\n\u0001é😀\ud800", "number", 1742L, "list",
                Arrays.asList(true, null, Map.of(), List.of()));
        assertEquals(value, JsonParser.parse(JsonWriter.write(value)));
    }

    @Test
    void whatHasNoJsonIsRefused() {
        Map<String, Object> body = Map.of("at", new Object());
        String message = assertThrows(IllegalArgumentException.class, () -> JsonWriter.write(body)).getMessage();
        assertEquals("a java.lang.Object cannot be written as JSON", message);
    }

    @Test
    void aPathNamesAMemberAtAnyDepth() {
        Json json = Json.parse("{\"items\":[{\"id\":\"ps_1\",\"amount\":1742,\"isOpen\":true}],\"none\":null}");
        assertEquals("ps_1", json.text("items.0.id"));
        assertEquals(1742, json.number("items.0.amount"));
        assertTrue(json.flag("items.0.isOpen"));
        assertEquals(json.object("items.0"), json.objects("items").get(0));
        assertNull(json.value("items.1.id"));
        assertNull(json.value("none"));
        String message = assertThrows(NoSuchElementException.class, () -> json.text("items.0.amount")).getMessage();
        assertTrue(message.startsWith("there is no text at items.0.amount of {\"items\""), message);
    }
}
