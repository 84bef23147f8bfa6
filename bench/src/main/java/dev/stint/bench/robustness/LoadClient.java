package dev.stint.bench.robustness;

import dev.stint.bench.history.Action;
import dev.stint.bench.history.Action.Create;
import dev.stint.bench.history.Action.Delete;
import dev.stint.bench.history.Action.Patch;
import dev.stint.bench.history.Action.Read;
import dev.stint.bench.history.Action.Replace;
import dev.stint.bench.history.Content;
import dev.stint.bench.history.Listing;
import dev.stint.bench.history.Operation;
import dev.stint.bench.history.Outcome;
import dev.stint.bench.history.Version;
import dev.stint.bench.robustness.TestedApi.Reply;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A client that reads and writes at random, one request after the other. */
final class LoadClient {
  /** The note of an answer that says that the client's token is not known. */
  static final String UNKNOWN_USER = "code 401";

  private static final int UNREACHABLE_MILLIS = 100;

  private final int number;
  private final List<String> keys;
  private final TestedApi api;
  private final HistoryRecorder recorder;
  private final RandomGenerator random;
  private final int pauseMillis;
  private final Map<String, Version> known = new HashMap<>();
  private long listed;
  private int writes;

  /**
   * @param pauseMillis the longest time between two requests
   */
  LoadClient(
      int number,
      List<String> keys,
      TestedApi api,
      HistoryRecorder recorder,
      RandomGenerator random,
      int pauseMillis) {
    this.number = number;
    this.keys = keys;
    this.api = api;
    this.recorder = recorder;
    this.random = random;
    this.pauseMillis = pauseMillis;
  }

  void run(BooleanSupplier goesOn) throws InterruptedException {
    while (goesOn.getAsBoolean()) {
      try {
        request();
        Thread.sleep(random.nextInt(pauseMillis + 1));
      } catch (ConnectException unreachable) {
        recorder.note("unreachable");
        Thread.sleep(UNREACHABLE_MILLIS);
      }
    }
  }

  private void request() throws ConnectException, InterruptedException {
    int choice = random.nextInt(100);
    if (choice < 6) {
      list("");
    } else if (choice < 9) {
      list("limit=" + (1 + random.nextInt(3)));
    } else if (choice < 11 && listed > 0) {
      list("resourceVersionMatch=Exact&resourceVersion=" + listed);
    } else {
      String key = keys.get(random.nextInt(keys.size()));
      write(key, action(key));
    }
  }

  private Action action(String key) {
    Version last = known.get(key);
    long revision = last == null ? 1 : last.revision();
    return switch (random.nextInt(10)) {
      case 0, 1 -> new Create(content());
      case 2, 3, 4 -> new Replace(content(), revision);
      case 5 -> new Replace(content(), 0);
      case 6 -> new Patch("p" + text());
      case 7 -> new Delete(random.nextBoolean() ? 0 : revision);
      default -> new Read();
    };
  }

  private Content content() {
    return new Content(text() + (random.nextBoolean() ? "a" : "b"), "");
  }

  private String text() {
    return number + "-" + writes++ + "-";
  }

  private void write(String key, Action action) throws ConnectException, InterruptedException {
    long call = recorder.now();
    try {
      Reply reply = send(key, action);
      Outcome outcome = outcome(key, action, reply);
      if (outcome != null) {
        recorder.add(new Operation(number, key, action, call, recorder.now(), outcome));
      }
    } catch (ConnectException notSent) {
      throw notSent;
    } catch (IOException unanswered) {
      recorder.note("unanswered");
      recorder.add(new Operation(number, key, action, call, recorder.now(), new Outcome.Unknown()));
    }
  }

  private Reply send(String key, Action action) throws IOException, InterruptedException {
    String path = ConfigMaps.path(key);
    return switch (action) {
      case Create(Content content) ->
          api.send("POST", ConfigMaps.PATH, ConfigMaps.body(key, content, 0));
      case Replace(Content content, long revision) ->
          api.send("PUT", path, ConfigMaps.body(key, content, revision));
      case Patch(String text) -> api.send("PATCH", path, ConfigMaps.patch(text));
      case Delete(long revision) -> api.send("DELETE", path, ConfigMaps.deletion(revision));
      case Read() -> api.send("GET", path, "");
    };
  }

  /** Returns what an answer says; null if it says that nothing was done. */
  private @Nullable Outcome outcome(String key, Action action, Reply reply) {
    recorder.note("code " + reply.code());
    if (reply.code() < 300) {
      if (action instanceof Delete) {
        known.remove(key);
        return new Outcome.Deleted();
      }
      Version version = ConfigMaps.version(reply.body());
      known.put(key, version);
      return new Outcome.Shown(version);
    }
    return switch (reply.code()) {
      case 404 -> new Outcome.Absent();
      case 409 -> action instanceof Create ? new Outcome.Exists() : new Outcome.Conflict();
      case 429 -> null;
      default -> new Outcome.Unknown();
    };
  }

  /** Lists all objects, page by page if there is a limit. */
  private void list(String parameters) throws ConnectException, InterruptedException {
    long call = recorder.now();
    long end = call;
    List<Version> items = new ArrayList<>();
    try {
      String rest = "";
      do {
        Reply page = api.send("GET", ConfigMaps.PATH + "?" + parameters + rest, "");
        recorder.note("code " + page.code());
        if (page.code() >= 300) {
          return;
        }
        end = items.isEmpty() && rest.isEmpty() ? recorder.now() : end;
        listed = ConfigMaps.revision(page.body());
        page.body().path("items").forEach(item -> items.add(ConfigMaps.version(item)));
        rest = rest(page.body());
      } while (!rest.isEmpty());
      items.forEach(item -> known.put(item.key(), item));
      boolean isCurrent = !parameters.contains("Exact");
      recorder.add(new Listing(number, call, end, listed, List.copyOf(items), isCurrent));
    } catch (ConnectException notSent) {
      throw notSent;
    } catch (IOException unanswered) {
      recorder.note("unanswered list");
    }
  }

  private static String rest(JsonNode page) {
    String token = page.path("metadata").path("continue").asString("");
    return token.isEmpty() ? "" : "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
  }
}
