package tapbench;

/**
 * What a terminal does for the point of sale: a payment or a refund.
 *
 * @param status {@code InProgress}, {@code Succeeded}, {@code Failed} or {@code Cancelled}
 * @param error code of the reason of a failure, such as {@code insufficient_funds} or {@code timeout}; null without one
 * @param json the action as the API shows it
 */
public record Action(String id, String status, String error, String paymentSessionId, Json json) {
    /** Returns an action of a reply of the API. */
    static Action of(Json json) {
        String error = json.value("error") == null ? null : json.text("error.code");
        return new Action(json.text("id"), json.text("status"), error, json.text("transaction.paymentSessionId"), json);
    }
}
