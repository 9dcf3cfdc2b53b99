package tapbench;

/** The server refused a request. */
public final class ApiError extends RuntimeException {
    private static final long serialVersionUID = 1;

    private static final int SHOWN_MAX = 200;

    private final int status;
    private final String code;
    private final String reason;

    private ApiError(String request, int status, String code, String reason) {
        super(request + ": " + status + " " + code + ": " + reason);
        this.status = status;
        this.code = code;
        this.reason = reason;
    }

    /** Returns the error of a reply: of its first error, or of its text where it has none. */
    static ApiError of(String request, int status, Object body) {
        if (body instanceof Json json && json.value("errors.0") != null) {
            return new ApiError(request, status, json.text("errors.0.code"), json.text("errors.0.message"));
        }
        String text = String.valueOf(body);
        return new ApiError(request, status, "unexpected_error", text.substring(0, Math.min(SHOWN_MAX, text.length())));
    }

    /** Returns the HTTP status, such as 409. */
    public int status() {
        return status;
    }

    /** Returns the code of the first error, such as {@code conflict}. */
    public String code() {
        return code;
    }

    /** Returns the message of the first error, for people. */
    public String reason() {
        return reason;
    }
}
