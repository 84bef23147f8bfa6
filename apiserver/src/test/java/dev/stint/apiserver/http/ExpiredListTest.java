package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.http.HttpApi.Answer;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists in pages, of which the store forgets the revision before the last page is read. */
class ExpiredListTest {
  private static final int LOGGED = 2;

  private final HttpApi api =
      HttpApi.over(
          new SimulatedEngine(), new StoreOptions(LOGGED, 1 << 20, StoreOptions.Durability.STRICT));

  @AfterEach
  void close() {
    api.close();
  }

  @BeforeEach
  void create() {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      assertThat(api.post(HttpApi.CONFIG_MAPS, HttpApi.configMap(name, "{}")).code())
          .isEqualTo(201);
    }
  }

  private Answer page(int limit, String token) {
    String from = token.isEmpty() ? "" : "&continue=" + token;
    return api.get(HttpApi.CONFIG_MAPS + "?limit=" + limit + from);
  }

  private static List<String> names(Answer page) {
    List<String> names = new ArrayList<>();
    page.tree().path("items").forEach(item -> names.add(item.at("/metadata/name").asString("")));
    return names;
  }

  /** Changes so much that the store forgets every revision before. */
  private void change() {
    api.delete(HttpApi.CONFIG_MAPS + "/b", "");
    for (int i = 0; i < LOGGED; i++) {
      String map = HttpApi.configMap("e", "{'i': '" + i + "'}");
      assertThat(api.call("PUT", HttpApi.CONFIG_MAPS + "/e", map, Map.of()).code()).isEqualTo(200);
    }
  }

  @Test
  void aRefusedPageSaysHowToGoOnAtTheNewestRevision() {
    Answer first = page(1, "");
    assertThat(names(first)).containsExactly("a");
    change();
    Answer expired = page(2, first.at("/metadata/continue"));
    assertThat(expired.code()).isEqualTo(410);
    assertThat(expired.at("/reason")).isEqualTo("Expired");
    assertThat(expired.at("/message")).contains("continue");
    Answer second = page(2, expired.at("/metadata/continue"));
    assertThat(second.code()).as(second.body()).isEqualTo(200);
    assertThat(names(second)).containsExactly("c", "d");
    assertThat(second.at("/metadata/resourceVersion"))
        .isNotEqualTo(first.at("/metadata/resourceVersion"))
        .isEqualTo(api.get(HttpApi.CONFIG_MAPS).at("/metadata/resourceVersion"));
    assertThat(second.tree().at("/metadata/remainingItemCount").intValue()).isEqualTo(1);
    api.post(HttpApi.CONFIG_MAPS, HttpApi.configMap("f", "{}"));
    Answer third = page(2, second.at("/metadata/continue"));
    assertThat(names(third)).as("of the second page's revision").containsExactly("e");
    assertThat(third.at("/metadata/resourceVersion"))
        .isEqualTo(second.at("/metadata/resourceVersion"));
    assertThat(third.at("/metadata/continue")).isEmpty();
  }

  @Test
  void aListOfAnOldRevisionHasNothingToGoOnWith() {
    String revision = api.get(HttpApi.CONFIG_MAPS).at("/metadata/resourceVersion");
    change();
    Answer expired =
        api.get(
            HttpApi.CONFIG_MAPS
                + "?limit=1&resourceVersionMatch=Exact&resourceVersion="
                + revision);
    assertThat(expired.code()).isEqualTo(410);
    assertThat(expired.tree().get("metadata").isEmpty()).isTrue();
  }
}
