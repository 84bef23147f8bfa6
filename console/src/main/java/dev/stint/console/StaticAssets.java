package dev.stint.console;

import dev.stint.apiserver.http.ApiResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The static files of the pages. All of them are bundled; nothing is loaded from elsewhere. */
final class StaticAssets {
  private static final String JAVASCRIPT = "text/javascript; charset=utf-8";

  /** The single page that is served for every address; the browser decides what it shows. */
  static final String PAGE = "index.html";

  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry(PAGE, "text/html; charset=utf-8"),
          Map.entry("console.css", "text/css; charset=utf-8"),
          Map.entry("icon.svg", "image/svg+xml"),
          Map.entry("app.js", JAVASCRIPT),
          Map.entry("api.js", JAVASCRIPT),
          Map.entry("dom.js", JAVASCRIPT),
          Map.entry("format.js", JAVASCRIPT),
          Map.entry("list.js", JAVASCRIPT),
          Map.entry("cronjobs.js", JAVASCRIPT),
          Map.entry("devices.js", JAVASCRIPT),
          Map.entry("document.js", JAVASCRIPT),
          Map.entry("items.js", JAVASCRIPT),
          Map.entry("kinds.js", JAVASCRIPT),
          Map.entry("job.js", JAVASCRIPT),
          Map.entry("heatmap.js", JAVASCRIPT),
          Map.entry("chart.js", JAVASCRIPT),
          Map.entry("attempts.js", JAVASCRIPT),
          Map.entry("log.js", JAVASCRIPT),
          Map.entry("seldom.js", JAVASCRIPT),
          Map.entry("simulation.js", JAVASCRIPT),
          Map.entry("actions.js", JAVASCRIPT));

  private final Map<String, byte[]> contents = new HashMap<>();

  StaticAssets() {
    TYPES.keySet().forEach(name -> contents.put(name, read(name)));
  }

  private static byte[] read(String name) {
    try (InputStream in = StaticAssets.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("there is no " + name);
      }
      return in.readAllBytes();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Returns a file; empty if there is none of that name. */
  Optional<ApiResponse.Whole> of(String name) {
    return Optional.ofNullable(contents.get(name))
        .map(body -> new ApiResponse.Whole(200, String.valueOf(TYPES.get(name)), body, List.of()));
  }
}
