package tapbench;

import java.io.ByteArrayOutputStream;
import java.util.UUID;

/** The body of a form with a file (multipart/form-data). */
final class Multipart {
    private final String boundary = UUID.randomUUID().toString();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    Multipart field(String name, String value) {
        return part("form-data; name=\"" + name + "\"\r\n", Client.bytes(value));
    }

    Multipart file(String name, String fileName, byte[] content, String contentType) {
        String disposition = "form-data; name=\"" + name + "\"; filename=\"" + fileName + "\"\r\n";
        return part(disposition + "Content-Type: " + contentType + "\r\n", content);
    }

    String contentType() {
        return "multipart/form-data; boundary=" + boundary;
    }

    byte[] body() {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(body.toByteArray());
        whole.writeBytes(Client.bytes("--" + boundary + "--\r\n"));
        return whole.toByteArray();
    }

    private Multipart part(String head, byte[] content) {
        body.writeBytes(Client.bytes("--" + boundary + "\r\nContent-Disposition: " + head + "\r\n"));
        body.writeBytes(content);
        body.writeBytes(Client.bytes("\r\n"));
        return this;
    }
}
