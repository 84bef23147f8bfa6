package dev.stint.cli;

import dev.stint.model.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A headless browser with one page, driven by the DevTools protocol. */
final class Chromium implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Pattern ADDRESS = Pattern.compile("DevTools listening on (ws://\\S+)");

  private final Process process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final WebSocket socket;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
  private final String session;

  /** Returns the path of the program; empty if it is not installed. */
  static Optional<Path> installed() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .flatMap(dir ->
            Stream.of("chromium", "chromium-browser", "google-chrome").map(Path.of(dir)::resolve))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts it.
   *
   * @param profile an empty directory for its profile
   */
  Chromium(Path program, Path profile) throws Exception {
    Path log = Files.createTempFile(profile, "chromium", ".log");
    process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--ignore-certificate-errors",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Awaitility.await().atMost(TIMEOUT).until(() -> address(log).isPresent() || !process.isAlive());
    String address =
        address(log).orElseThrow(() -> new AssertionError("chromium does not start; see " + log));
    socket = http.newWebSocketBuilder().buildAsync(URI.create(address), new Messages()).get();
    String target =
        text(ask("", "Target.createTarget", Json.object().put("url", "about:blank")), "targetId");
    ObjectNode attach = Json.object().put("targetId", target).put("flatten", true);
    session = text(ask("", "Target.attachToTarget", attach), "sessionId");
    for (String domain : List.of("Runtime", "Log", "Page")) {
      ask(domain + ".enable", Json.object());
    }
  }

  private static Optional<String> address(Path log) throws IOException {
    Matcher found = ADDRESS.matcher(Files.readString(log));
    return found.find() ? Optional.of(found.group(1)) : Optional.empty();
  }

  private static String text(JsonNode tree, String member) {
    return String.valueOf(Json.text(tree, member));
  }

  /** Sets the size of the page in CSS pixels, and the preferred color scheme. */
  void look(int width, int height, boolean dark) throws Exception {
    ask(
        "Emulation.setDeviceMetricsOverride",
        Json.object()
            .put("width", width)
            .put("height", height)
            .put("deviceScaleFactor", 1)
            .put("mobile", width < 500));
    ask("Emulation.setScrollbarsHidden", Json.object().put("hidden", true));
    ObjectNode media = Json.object();
    media
        .putArray("features")
        .addObject()
        .put("name", "prefers-color-scheme")
        .put("value", dark ? "dark" : "light");
    ask("Emulation.setEmulatedMedia", media);
  }

  void open(String url) throws Exception {
    ask("Page.navigate", Json.object().put("url", url));
  }

  /** Returns the value of an expression in the page. */
  String run(String expression) throws Exception {
    ObjectNode parameters = Json.object().put("expression", expression).put("awaitPromise", true);
    JsonNode answer = ask("Runtime.evaluate", parameters.put("returnByValue", true));
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + answer.get("exceptionDetails"));
    }
    JsonNode value = answer.path("result").path("value");
    return value.isString() ? value.stringValue() : value.toString();
  }

  /** Waits until an expression is true in the page. */
  void await(String expression) {
    Awaitility.await(expression)
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(50))
        .ignoreExceptions()
        .until(() -> run("Boolean(" + expression + ")").equals("true"));
  }

  /** Clicks on the middle of the element that a selector finds, as a mouse does. */
  void click(String selector) throws Exception {
    await("document.querySelector(" + quoted(selector) + ")");
    run("document.querySelector(%s).scrollIntoView({block: 'center'})".formatted(quoted(selector)));
    clickAt(
        "(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector(%s).getBoundingClientRect())"
            .formatted(quoted(selector)));
  }

  /** Clicks at the position that an expression returns as {@code [x, y]}. */
  void clickAt(String expression) throws Exception {
    JsonNode place =
        Json.read(run("JSON.stringify(" + expression + ")").getBytes(StandardCharsets.UTF_8));
    for (String type : List.of("mouseMoved", "mousePressed", "mouseReleased")) {
      ask(
          "Input.dispatchMouseEvent",
          Json.object()
              .put("type", type)
              .put("x", place.get(0).doubleValue())
              .put("y", place.get(1).doubleValue())
              .put("button", type.equals("mouseMoved") ? "none" : "left")
              .put("clickCount", 1));
    }
  }

  /** Presses a key by its name in the DOM, such as Enter, ArrowRight or f. */
  void press(String key) throws Exception {
    ObjectNode down = Json.object().put("type", "keyDown").put("key", key);
    switch (key) {
      case "Enter" -> down.put("windowsVirtualKeyCode", 13).put("code", key).put("text", "\r");
      case "Tab" -> down.put("windowsVirtualKeyCode", 9).put("code", key);
      case "Escape" -> down.put("windowsVirtualKeyCode", 27).put("code", key);
      default -> {
        if (key.length() == 1) {
          down.put("text", key);
        }
      }
    }
    ask("Input.dispatchKeyEvent", down);
    ask("Input.dispatchKeyEvent", Json.object().put("type", "keyUp").put("key", key));
  }

  /**
   * A node of the page as a screen reader sees it.
   *
   * @param role such as button or heading
   * @param name its accessible name; empty if it has none
   * @param level the level of a heading; 0 for other nodes
   * @param live how its changes are announced: polite, assertive; empty if they are not
   */
  record Told(String role, String name, int level, String live) {}

  /** Returns all nodes, in the order of the page. */
  List<Told> told() throws Exception {
    ask("Accessibility.enable", Json.object());
    List<Told> all = new ArrayList<>();
    for (JsonNode node : ask("Accessibility.getFullAXTree", Json.object()).get("nodes")) {
      if (!node.path("ignored").asBoolean(false)) {
        all.add(
            new Told(
                node.at("/role/value").asString(""),
                node.at("/name/value").asString("").strip(),
                property(node, "level").asInt(0),
                property(node, "live").asString("")));
      }
    }
    return all;
  }

  private static JsonNode property(JsonNode node, String name) {
    for (JsonNode property : node.path("properties")) {
      if (name.equals(Json.text(property, "name"))) {
        return property.at("/value/value");
      }
    }
    return Json.object().path("none");
  }

  /** Takes a screenshot of the viewport, or of the whole page. */
  void picture(Path png, boolean whole) throws Exception {
    ObjectNode parameters = Json.object().put("format", "png").put("captureBeyondViewport", whole);
    if (whole) {
      JsonNode size = ask("Page.getLayoutMetrics", Json.object()).get("cssContentSize");
      parameters
          .putObject("clip")
          .put("x", 0)
          .put("y", 0)
          .put("width", size.get("width").doubleValue())
          .put("height", size.get("height").doubleValue())
          .put("scale", 1);
    }
    String data = text(ask("Page.captureScreenshot", parameters), "data");
    Files.createDirectories(png.toAbsolutePath().getParent());
    Files.write(png, Base64.getDecoder().decode(data));
  }

  /** Returns the errors of the page: exceptions, and violations of its policy. */
  List<String> faults() {
    return new ArrayList<>(faults);
  }

  static String quoted(String text) {
    return Json.text(text).toString();
  }

  private JsonNode ask(String method, ObjectNode parameters) throws Exception {
    return ask(session, method, parameters);
  }

  private JsonNode ask(String of, String method, ObjectNode parameters) throws Exception {
    int id = ids.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(id, answer);
    ObjectNode message = Json.object().put("id", id).put("method", method);
    message.set("params", parameters);
    if (!of.isEmpty()) {
      message.put("sessionId", of);
    }
    socket.sendText(message.toString(), true).get();
    JsonNode told = answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    if (told.has("error")) {
      throw new IllegalStateException(method + ": " + told.get("error"));
    }
    return told.get("result");
  }

  private final class Messages implements WebSocket.Listener {
    private final StringBuilder message = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      message.append(part);
      if (last) {
        heard(Json.parse(message.toString()));
        message.setLength(0);
      }
      return WebSocket.Listener.super.onText(from, part, last);
    }

    private void heard(ObjectNode told) {
      Integer id = Json.integer(told, "id");
      CompletableFuture<JsonNode> waiting = id == null ? null : answers.remove(id);
      if (waiting != null) {
        waiting.complete(told);
      }
      JsonNode parameters = told.path("params");
      switch (String.valueOf(Json.text(told, "method"))) {
        case "Runtime.exceptionThrown" -> faults.add(parameters.get("exceptionDetails").toString());
        case "Log.entryAdded" -> faults.add(parameters.get("entry").toString());
        default -> {
          // Nothing to report.
        }
      }
    }
  }

  @Override
  public void close() {
    socket.abort();
    http.shutdownNow();
    process.destroy();
    process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
    process.destroyForcibly().onExit().join();
  }
}
