package io.jenkins.plugins.tao.spec;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Git's own HTTP server program behind a password, on loopback. */
final class GitServer implements AutoCloseable {
    private final HttpServer server;
    private final Path root;
    private final String login;
    private final List<String> addresses = new CopyOnWriteArrayList<>();

    GitServer(Path root, String user, String password) throws IOException {
        this.root = root;
        login = "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    String url(String repository) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + repository;
    }

    /** What was asked for. */
    List<String> addresses() {
        return addresses;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            URI uri = exchange.getRequestURI();
            addresses.add(uri.toString());
            if (!login.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"git\"");
                exchange.sendResponseHeaders(401, -1);
                return;
            }
            byte[] output = program(exchange, uri);
            int end = endOfHead(output);
            int status = 200;
            for (String line : new String(output, 0, end, StandardCharsets.ISO_8859_1).split("\r\n", -1)) {
                String[] field = line.split(": ", 2);
                if (field[0].equals("Status")) {
                    status = Integer.parseInt(field[1].substring(0, 3));
                } else if (field.length == 2) {
                    exchange.getResponseHeaders().set(field[0], field[1]);
                }
            }
            int from = end + 4;
            exchange.sendResponseHeaders(status, output.length == from ? -1 : output.length - from);
            exchange.getResponseBody().write(output, from, output.length - from);
        }
    }

    private byte[] program(HttpExchange exchange, URI uri) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("git", "http-backend");
        builder.environment()
                .putAll(Map.of(
                        "GIT_PROJECT_ROOT", root.toString(),
                        "GIT_HTTP_EXPORT_ALL", "1",
                        "REQUEST_METHOD", exchange.getRequestMethod(),
                        "PATH_INFO", uri.getPath(),
                        "QUERY_STRING", uri.getQuery() == null ? "" : uri.getQuery(),
                        "CONTENT_TYPE", header(exchange, "Content-Type"),
                        "HTTP_CONTENT_ENCODING", header(exchange, "Content-Encoding"),
                        "GIT_PROTOCOL", header(exchange, "Git-Protocol")));
        byte[] body = exchange.getRequestBody().readAllBytes();
        builder.environment().put("CONTENT_LENGTH", String.valueOf(body.length));
        Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        process.getOutputStream().write(body);
        process.getOutputStream().close();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (InputStream out = process.getInputStream()) {
            out.transferTo(all);
        }
        return all.toByteArray();
    }

    private static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    private static int endOfHead(byte[] output) {
        return new String(output, StandardCharsets.ISO_8859_1).indexOf("\r\n\r\n");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
