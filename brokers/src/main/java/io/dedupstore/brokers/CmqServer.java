package io.dedupstore.brokers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;

/** The process of {@link CmqStandIn}: takes requests from the wire, checks who sent them, and writes the answers. */
final class CmqServer {
    private static final String PATH = "/v2/index.php";

    private final CmqActions actions;
    private final CmqSignature signature;

    private CmqServer(CmqActions actions, CmqSignature signature) {
        this.actions = actions;
        this.signature = signature;
    }

    /** Is told folder, port (0 for any), secret id and secret key; says its port; ends with who started it. */
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        CmqActions actions = CmqActions.load(Path.of(next(in)));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(next(in)));
        CmqServer server = new CmqServer(actions, new CmqSignature(next(in), next(in)));
        HttpServer http = HttpServer.create(address, 50);
        // a long poll keeps its thread
        http.setExecutor(Executors.newCachedThreadPool());
        http.createContext(PATH, server::handle);
        http.start();
        System.out.println(http.getAddress().getPort());
        System.out.flush();
        while (in.readLine() != null) {
            // nothing more is told
        }
        Runtime.getRuntime().halt(0);
    }

    private static String next(BufferedReader in) throws IOException {
        return Objects.requireNonNull(in.readLine(), "nobody tells what to do");
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] answer = answer(exchange).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
            exchange.sendResponseHeaders(200, answer.length); // errors too: their code is in the answer
            exchange.getResponseBody().write(answer);
        }
    }

    private String answer(HttpExchange exchange) throws IOException {
        String method = exchange.getRequestMethod();
        String form = method.equals("GET")
                ? exchange.getRequestURI().getRawQuery()
                : new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        try {
            SortedMap<String, String> parameters = parse(form);
            signature.check(method + exchange.getRequestHeaders().getFirst("Host") + PATH + "?", parameters);
            return actions.perform(new CmqRequest(parameters)).toString();
        } catch (CmqError e) {
            return actions.answer(e).toString();
        }
    }

    private static SortedMap<String, String> parse(String form) throws CmqError {
        SortedMap<String, String> parameters = new TreeMap<>();
        try {
            for (String parameter : form.split("&", -1)) {
                String[] parts = parameter.split("=", 2);
                parameters.put(decode(parts[0]), decode(parts[1]));
            }
            return parameters;
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new CmqError(CmqError.BAD_REQUEST, "(10000)invalid request parameters");
        }
    }

    private static String decode(String part) {
        return URLDecoder.decode(part, StandardCharsets.UTF_8);
    }
}
