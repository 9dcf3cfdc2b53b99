package tapbench;

/**
 * A received event.
 *
 * @param type such as {@code PaymentSession.captured}
 * @param data the object at the time of the event
 * @param json the whole event
 */
public record Event(String id, String type, Json data, Json json) {
    /** Returns the event of the body of a webhook. */
    static Event of(Json json) {
        return new Event(json.text("id"), json.text("eventType"), json.object("data"), json);
    }
}
