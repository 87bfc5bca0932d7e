package io.jenkins.plugins.tao.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import okhttp3.FormBody;
import okhttp3.MediaType;
import okhttp3.MultipartBody;
import okhttp3.RequestBody;
import org.jspecify.annotations.Nullable;

/** What a request carries. */
public final class HttpBody {
    private static final MediaType JSON = MediaType.get("application/json");

    private final RequestBody body;

    private HttpBody(RequestBody body) {
        this.body = body;
    }

    /** A JSON value. */
    public static HttpBody json(JsonNode value) {
        return new HttpBody(RequestBody.create(value.toString().getBytes(StandardCharsets.UTF_8), JSON));
    }

    /** Fields as a form of a web page sends them. */
    public static HttpBody form(Map<String, String> fields) {
        FormBody.Builder form = new FormBody.Builder(StandardCharsets.UTF_8);
        fields.forEach(form::add);
        return new HttpBody(form.build());
    }

    /** Fields and one file, as {@code multipart/form-data}. */
    public static HttpBody multipart(Map<String, String> fields, String fileField, Path file) {
        MultipartBody.Builder form = new MultipartBody.Builder().setType(MultipartBody.FORM);
        fields.forEach(form::addFormDataPart);
        form.addFormDataPart(fileField, String.valueOf(file.getFileName()), RequestBody.create(file.toFile(), null));
        return new HttpBody(form.build());
    }

    /**
     * Bytes as they are; with an empty {@code contentType} no such header is sent.
     *
     * @throws IllegalArgumentException if {@code contentType} is none
     */
    public static HttpBody bytes(String contentType, byte[] bytes) {
        return new HttpBody(RequestBody.create(bytes, type(contentType)));
    }

    /** A file, read while it is sent; its length is told before. */
    public static HttpBody file(String contentType, Path file) {
        return new HttpBody(RequestBody.create(file.toFile(), type(contentType)));
    }

    RequestBody body() {
        return body;
    }

    private static @Nullable MediaType type(String contentType) {
        return contentType.isEmpty() ? null : MediaType.get(contentType);
    }
}
