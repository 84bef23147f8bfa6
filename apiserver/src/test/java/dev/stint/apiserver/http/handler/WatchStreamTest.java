package dev.stint.apiserver.http.handler;

import static dev.stint.apiserver.http.HttpApi.CONFIG_MAPS;
import static dev.stint.apiserver.http.HttpApi.JOBS;
import static dev.stint.apiserver.http.HttpApi.PODS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.HttpApi;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

class WatchStreamTest {
  private static final String LIST_FIRST =
      "?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

  private final HttpApi api = new HttpApi();

  @AfterEach
  void close() {
    api.close();
  }

  private void configMaps(int count) {
    for (int i = 0; i < count; i++) {
      api.post(CONFIG_MAPS, HttpApi.configMap("c" + i, "{'team': 'red'}"));
    }
  }

  private String version() {
    return api.get(CONFIG_MAPS).at("/metadata/resourceVersion");
  }

  private static List<String> types(List<ObjectNode> events) {
    return events.stream().map(event -> event.path("type").stringValue()).toList();
  }

  private static String at(ObjectNode event, String pointer) {
    return event.at(pointer).asString("");
  }

  @Test
  void aLimitDoesNotCutAWatch() throws Exception {
    configMaps(5);
    List<ObjectNode> events = api.watch(CONFIG_MAPS + LIST_FIRST + "&limit=2", "", 6);
    assertThat(types(events))
        .containsExactly("ADDED", "ADDED", "ADDED", "ADDED", "ADDED", "BOOKMARK");
  }

  @Test
  void aWatchOfAllThatThereIsSaysWhereThatEnds() throws Exception {
    configMaps(1);
    List<ObjectNode> events =
        api.watch(CONFIG_MAPS + "?watch=true&allowWatchBookmarks=true", "", 2);
    assertThat(at(events.getLast(), "/object/metadata/annotations/k8s.io~1initial-events-end"))
        .isEqualTo("true");
  }

  @Test
  void aBookmarkSaysHowFarTheWatchIsAndNothingElse() throws Exception {
    ObjectNode bookmark = api.watch(CONFIG_MAPS + LIST_FIRST, "", 1).getFirst();
    assertThat(bookmark)
        .isEqualTo(
            HttpApi.tree(
                """
                {'type': 'BOOKMARK', 'object': {'kind': 'ConfigMap', 'apiVersion': 'v1', 'metadata':
                {'resourceVersion': '%s', 'annotations': {'k8s.io/initial-events-end': 'true'}}}}
                """
                    .formatted(version())));
  }

  @Test
  void aWatchWithBookmarksHasOneEachMinute() throws Exception {
    List<ObjectNode> events = aMinuteOfEvents("&allowWatchBookmarks=true");
    assertThat(types(events)).containsExactly("ADDED", "ADDED", "BOOKMARK", "ADDED");
    assertThat(events.get(2))
        .as("it says how far the watch is, and not the server")
        .isEqualTo(
            HttpApi.tree(
                """
                {'type': 'BOOKMARK', 'object': {'kind': 'ConfigMap', 'apiVersion': 'v1', 'metadata':
                {'resourceVersion': '%s'}}}
                """
                    .formatted(at(events.get(1), "/object/metadata/resourceVersion"))));
  }

  @Test
  void aWatchWithoutBookmarksHasNone() throws Exception {
    assertThat(types(aMinuteOfEvents(""))).containsExactly("ADDED", "ADDED", "ADDED");
  }

  /** Returns what a watch reports of three objects, of which the second comes after a minute. */
  private static List<ObjectNode> aMinuteOfEvents(String parameters) throws Exception {
    AtomicLong seconds = new AtomicLong();
    try (HttpApi timed =
        HttpApi.at(InstantSource.system(), () -> Instant.EPOCH.plusSeconds(seconds.get()))) {
      Script script = new Script(timed, seconds);
      String from = timed.get(CONFIG_MAPS).at("/metadata/resourceVersion");
      String target = CONFIG_MAPS + "?watch=true&resourceVersion=" + from + parameters;
      script.add("first");
      ApiResponse reply = timed.reply("GET", target, new byte[0], Map.of());
      ((ApiResponse.Streamed) reply).body().writeTo(script);
      return script.events;
    }
  }

  /** A client at whose side time passes, and objects are added, while it reads. */
  private static final class Script implements ApiResponse.Sink {
    private final HttpApi api;
    private final AtomicLong seconds;
    private final List<ObjectNode> events = new ArrayList<>();
    private Runnable disconnect = () -> {};

    Script(HttpApi api, AtomicLong seconds) {
      this.api = api;
      this.seconds = seconds;
    }

    void add(String name) {
      api.post(CONFIG_MAPS, HttpApi.configMap(name, "{}"));
    }

    @Override
    public void write(byte[] bytes) {
      new String(bytes, UTF_8).lines().map(Json::parse).forEach(this::onEvent);
    }

    private void onEvent(ObjectNode event) {
      events.add(event);
      switch (at(event, "/object/metadata/name")) {
        case "first" -> {
          seconds.set(59);
          add("second");
        }
        case "second" -> {
          seconds.set(60);
          add("third");
        }
        case "third" -> disconnect.run();
        default -> assertThat(at(event, "/type")).isEqualTo("BOOKMARK");
      }
    }

    @Override
    public void onClose(Runnable task) {
      disconnect = task;
    }
  }

  /** {@code bench/robustness} found this with seeds 215, 225 and 257. */
  @Test
  @Timeout(60)
  void aWatchEndsInTimeAlthoughTheClockIsSetBack() throws Exception {
    AtomicLong hours = new AtomicLong();
    AtomicLong seconds = new AtomicLong();
    try (HttpApi moved =
        HttpApi.at(
            () -> Instant.EPOCH.minus(Duration.ofHours(hours.incrementAndGet())),
            () -> Instant.EPOCH.plusSeconds(seconds.addAndGet(6)))) {
      assertThat(types(moved.watch(CONFIG_MAPS + LIST_FIRST, "", 100))).containsExactly("BOOKMARK");
    }
  }

  @Test
  void aBookmarkOfMetadataIsMetadata() throws Exception {
    String metadata = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    ObjectNode bookmark = api.watch(CONFIG_MAPS + LIST_FIRST, metadata, 1).getFirst();
    assertThat(at(bookmark, "/object/kind")).isEqualTo("PartialObjectMetadata");
    assertThat(at(bookmark, "/object/apiVersion")).isEqualTo("meta.k8s.io/v1");
    assertThat(at(bookmark, "/object/metadata/resourceVersion")).isEqualTo(version());
  }

  @Test
  void aBookmarkOfATableIsATableWithOneRow() throws Exception {
    configMaps(1);
    List<ObjectNode> events = api.watch(CONFIG_MAPS + LIST_FIRST, HttpApi.TABLE, 2);
    assertThat(events.getFirst().at("/object/columnDefinitions").size()).isEqualTo(3);
    ObjectNode bookmark = events.getLast();
    assertThat(at(bookmark, "/object/kind")).isEqualTo("Table");
    assertThat(bookmark.at("/object/columnDefinitions").isNull()).isTrue();
    assertThat(bookmark.at("/object/rows").size()).isEqualTo(1);
    assertThat(at(bookmark, "/object/rows/0/object/metadata/resourceVersion")).isEqualTo(version());
  }

  @Test
  void whatLeavesASelectorIsDeletedAsItWas() throws Exception {
    configMaps(1);
    String from = version();
    api.call(
        "PATCH",
        CONFIG_MAPS + "/c0",
        "{'metadata': {'labels': {'team': 'blue'}}, 'data': {'a': 'b'}}",
        Map.of("Content-Type", "application/merge-patch+json"));
    String selected = "?watch=true&labelSelector=team%3Dred&resourceVersion=" + from;
    ObjectNode event = api.watch(CONFIG_MAPS + selected, "", 1).getFirst();
    assertThat(at(event, "/type")).isEqualTo("DELETED");
    assertThat(at(event, "/object/metadata/labels/team")).isEqualTo("red");
    assertThat(event.at("/object").has("data")).isFalse();
    assertThat(at(event, "/object/metadata/resourceVersion")).isEqualTo(version());
  }

  @Test
  void aPodThatGoesAtOnceIsMarkedFirst() throws Exception {
    api.post(PODS, PodBuilder.named("p"));
    String from = version();
    String answered = api.delete(PODS + "/p", "").at("/metadata/deletionTimestamp");
    List<ObjectNode> events = api.watch(PODS + "?watch=true&resourceVersion=" + from, "", 2);
    assertThat(types(events)).containsExactly("MODIFIED", "DELETED");
    for (ObjectNode event : events) {
      assertThat(at(event, "/object/metadata/deletionTimestamp")).isNotEmpty().isEqualTo(answered);
      assertThat(at(event, "/object/metadata/deletionGracePeriodSeconds")).isEqualTo("0");
    }
  }

  /** The column names the manager of a Job, and all pages of a table have the same columns. */
  @Test
  void aTableHasItsColumnsOnAllPages() throws Exception {
    api.post(JOBS, JobBuilder.named("a"));
    api.post(JOBS, JobBuilder.named("b").managedBy("example.com/x"));
    api.post(JOBS, JobBuilder.named("c"));
    String token = "";
    for (int page = 0; page < 3; page++) {
      HttpApi.Answer table = api.get(JOBS + "?limit=1&continue=" + token, HttpApi.TABLE);
      assertThat(table.at("/columnDefinitions/8/name")).isEqualTo("Managed_By");
      token = table.at("/metadata/continue");
    }
    List<ObjectNode> events = api.watch(JOBS + "?watch=true", HttpApi.TABLE, 3);
    assertThat(events).allMatch(event -> event.at("/object/rows/0/cells").size() == 9);
  }
}
