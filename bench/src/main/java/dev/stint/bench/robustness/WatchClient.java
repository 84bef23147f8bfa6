package dev.stint.bench.robustness;

import dev.stint.bench.history.Delivery;
import dev.stint.bench.history.EventStream;
import dev.stint.bench.history.Listing;
import dev.stint.bench.history.Version;
import dev.stint.bench.robustness.TestedApi.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A client that follows all objects, or those of one side: it lists and watches, and watches again
 * from the last revision that it knows, until that is gone.
 */
final class WatchClient {
  private static final int UNREACHABLE_MILLIS = 100;

  private final int number;
  private final String side;
  private final TestedApi api;
  private final HistoryRecorder recorder;
  private final RandomGenerator random;

  /** The objects at the revision; null if they must be listed. */
  private @Nullable Map<String, Version> known;

  private volatile long revision;

  /**
   * @param side the side that it selects; "" for both
   */
  WatchClient(
      int number, String side, TestedApi api, HistoryRecorder recorder, RandomGenerator random) {
    this.number = number;
    this.side = side;
    this.api = api;
    this.recorder = recorder;
    this.random = random;
  }

  @Override
  public String toString() {
    return "watch %d of %s".formatted(number, side.isEmpty() ? "all" : "side " + side);
  }

  /** Returns the revision up to which it knows everything. */
  long revision() {
    return revision;
  }

  void run(BooleanSupplier goesOn) throws InterruptedException {
    while (goesOn.getAsBoolean()) {
      try {
        Map<String, Version> objects = known;
        if (objects != null) {
          new Stream(objects, false).follow();
        } else if (random.nextBoolean()) {
          list();
        } else {
          new Stream(Map.of(), true).follow();
        }
      } catch (IOException unreachable) {
        recorder.note("watch cut off");
        Thread.sleep(UNREACHABLE_MILLIS);
      }
    }
  }

  private void list() throws IOException, InterruptedException {
    long call = recorder.now();
    Reply reply = api.send("GET", ConfigMaps.PATH + "?" + selector(), "");
    if (reply.code() == 200) {
      List<Version> items = new ArrayList<>();
      reply.body().path("items").forEach(item -> items.add(ConfigMaps.version(item)));
      onListed(call, ConfigMaps.revision(reply.body()), items);
    }
  }

  private void onListed(long call, long listed, List<Version> items) {
    recorder.note("list of a watch");
    if (side.isEmpty()) {
      recorder.add(new Listing(number, call, recorder.now(), listed, items, true));
    }
    Map<String, Version> objects = new HashMap<>();
    items.forEach(item -> objects.put(item.key(), item));
    known = objects;
    revision = listed;
  }

  private String selector() {
    return side.isEmpty() ? "" : "labelSelector=side%3D" + side;
  }

  /** One watch. */
  private final class Stream {
    private final long call = recorder.now();
    private final Map<String, Version> objects;
    private final List<Delivery> deliveries = new ArrayList<>();
    private final List<Version> initial = new ArrayList<>();
    private List<Version> start;
    private long from = revision;
    private boolean isInitial;
    private boolean isGone;

    /**
     * @param isInitial true if the server sends the present objects first
     */
    Stream(Map<String, Version> objects, boolean isInitial) {
      this.objects = new HashMap<>(objects);
      this.start = List.copyOf(objects.values());
      this.isInitial = isInitial;
    }

    void follow() throws IOException, InterruptedException {
      try {
        int code = api.watch(path(), this::onLine);
        recorder.note("code " + code + " of a watch");
      } finally {
        end();
      }
    }

    private String path() {
      String begin =
          isInitial
              ? "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
              : "&resourceVersion=" + from;
      int seconds = 1 + random.nextInt(5);
      return ConfigMaps.PATH
          + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=%d%s&%s"
              .formatted(seconds, begin, selector());
    }

    private void end() {
      if (isInitial) {
        return;
      }
      recorder.add(new EventStream(number, side, from, start, List.copyOf(deliveries)));
      known = isGone ? null : objects;
    }

    private void onLine(ObjectNode line) {
      String type = line.path("type").asString("");
      JsonNode object = line.path("object");
      if (type.isEmpty() || type.equals("ERROR")) {
        int code = line.path("code").asInt(object.path("code").asInt());
        recorder.note("watch ended by " + code);
        isGone = code == 410;
      } else if (isInitial) {
        onInitial(type, object);
      } else {
        onEvent(Delivery.Type.valueOf(type), object);
      }
    }

    private void onInitial(String type, JsonNode object) {
      if (!type.equals("BOOKMARK")) {
        initial.add(ConfigMaps.version(object));
        return;
      }
      onListed(call, ConfigMaps.revision(object), List.copyOf(initial));
      isInitial = false;
      from = revision;
      start = List.copyOf(initial);
      initial.forEach(item -> objects.put(item.key(), item));
    }

    private void onEvent(Delivery.Type type, JsonNode object) {
      long at = ConfigMaps.revision(object);
      boolean isBookmark = type == Delivery.Type.BOOKMARK;
      Version version = isBookmark ? null : ConfigMaps.version(object);
      deliveries.add(new Delivery(recorder.now(), type, at, version));
      if (version != null && type == Delivery.Type.DELETED) {
        objects.remove(version.key());
      } else if (version != null) {
        objects.put(version.key(), version);
      }
      revision = Math.max(revision, at);
    }
  }
}
