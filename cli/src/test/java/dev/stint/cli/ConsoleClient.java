package dev.stint.cli;

import dev.stint.model.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the requests of the console's pages without a browser: over plain HTTP, next to a
 * controller.
 */
final class ConsoleClient implements AutoCloseable {
  /** The line about the console; it has no ticket unless it is printed on a terminal. */
  static final Pattern LINE =
      Pattern.compile("console: (http://127\\.0\\.0\\.1:\\d+)/console(?:/#sign-in=(\\S+))?");

  private final HttpClient client = HttpClient.newHttpClient();
  private final String api;
  private final String ticket;
  private String cookie = "";

  /**
   * Creates a client of the console of a printed link that has made no request yet.
   *
   * @param told the printed text, which contains the link
   */
  ConsoleClient(String told) {
    Matcher link = line(told);
    api = link.group(1) + "/console/api/";
    ticket = Objects.requireNonNull(link.group(2), told);
  }

  /**
   * Creates a client that has a token for the console of a printed address.
   *
   * @param told the printed text, which contains the address
   */
  ConsoleClient(String told, String token) {
    api = line(told).group(1) + "/console/api/";
    ticket = token;
  }

  private static Matcher line(String told) {
    Matcher line = LINE.matcher(told);
    if (!line.find()) {
      throw new IllegalArgumentException("no console in " + told);
    }
    return line;
  }

  /** Signs in with the link or the token. */
  HttpResponse<String> enter() throws Exception {
    HttpResponse<String> entered = post("session", "{\"ticket\":\"" + ticket + "\"}");
    cookie = entered.headers().firstValue("Set-Cookie").orElseThrow().split(";", -1)[0];
    return entered;
  }

  HttpResponse<String> get(String path) throws Exception {
    return client.send(asking(path).GET().build(), BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String body) throws Exception {
    HttpRequest request =
        asking(path)
            .header("Content-Type", "application/json")
            .header("X-Stint-Console", "1")
            .POST(BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private HttpRequest.Builder asking(String path) {
    return HttpRequest.newBuilder(URI.create(api + path))
        .header("Sec-Fetch-Site", "same-origin")
        .header("Cookie", cookie);
  }

  /** Returns the first event of this name from the stream at a path. */
  ObjectNode told(String path, String event) throws Exception {
    HttpResponse<InputStream> stream =
        client.send(asking(path).GET().build(), BodyHandlers.ofInputStream());
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
      boolean wanted = false;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (wanted && line.startsWith("data: ")) {
          return Json.parse(line.substring("data: ".length()));
        }
        wanted = line.equals("event: " + event) || wanted && !line.isEmpty();
      }
      throw new IOException("nothing was told of " + event);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
