package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class MemberMapTest {
  private final MemberMap members = new MemberMap();

  @ParameterizedTest
  @ValueSource(ints = {4, 12, MemberMap.MANY, 3 * MemberMap.MANY})
  void isAMapInTheOrderOfAdditions(int names) {
    for (long seed = 0; seed < 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Map<String, JsonNode> model = new LinkedHashMap<>();
      members.clear();
      for (int step = 0; step < 200; step++) {
        // Each time another string, so that most are equal, and not the same.
        String name = "name" + random.nextInt(names);
        JsonNode value = Json.text("value" + step);
        switch (random.nextInt(5)) {
          case 4 ->
              assertThat(members.keySet().remove(name)).isEqualTo(model.keySet().remove(name));
          case 0 -> assertThat(members.remove(name)).isEqualTo(model.remove(name));
          case 1 -> assertThat(members.get(name)).isEqualTo(model.get(name));
          default -> assertThat(members.put(name, value)).isEqualTo(model.put(name, value));
        }
        assertThat(members.containsKey(name)).isEqualTo(model.containsKey(name));
        assertThat(members.keySet().contains(name)).isEqualTo(model.containsKey(name));
      }
      assertThat(List.copyOf(members.values())).isEqualTo(List.copyOf(model.values()));
      assertThat(List.copyOf(members.entrySet())).isEqualTo(List.copyOf(model.entrySet()));
      assertThat(members).hasSameSizeAs(model).isEqualTo(model).hasSameHashCodeAs(model);
      assertThat(named(members)).isEqualTo(List.copyOf(model.keySet()));
    }
  }

  private static List<String> named(MemberMap members) {
    List<String> names = new ArrayList<>();
    members.forEach((name, _) -> names.add(name));
    return names;
  }

  @Test
  void namesWithOneHashAreDifferentMembers() {
    members.put("Aa", Json.text("one"));
    members.put("BB", Json.text("other"));
    assertThat(members.get("Aa")).isEqualTo(Json.text("one"));
    assertThat(members.get("BB")).isEqualTo(Json.text("other"));
  }

  @Test
  void aCopyIsAnotherMap() {
    for (int count : List.of(3, 2 * MemberMap.MANY)) {
      members.clear();
      fill(count);
      MemberMap copy = new MemberMap();
      copy.putAll(members);
      members.put("more", Json.text("more"));
      members.put("name0", Json.text("other"));
      assertThat(copy).hasSize(count).containsEntry("name0", Json.text("0"));
    }
  }

  @Test
  void membersAreAddedToThoseThatAreThere() {
    fill(2);
    MemberMap more = new MemberMap();
    more.put("name1", Json.text("other"));
    more.put("last", Json.text("last"));
    members.putAll(more);
    assertThat(members.keySet()).containsExactly("name0", "name1", "last");
    assertThat(members).containsEntry("name1", Json.text("other"));
  }

  @Test
  void membersAreRemovedWhileTheyAreRead() {
    fill(5);
    members.keySet().removeIf(name -> !name.equals("name3"));
    assertThat(members).containsOnlyKeys("name3");
  }

  @Test
  void thereIsAnEnd() {
    fill(1);
    Iterator<Map.Entry<String, JsonNode>> all = members.entrySet().iterator();
    all.next();
    assertThat(all.hasNext()).isFalse();
    assertThatThrownBy(all::next).isInstanceOf(NoSuchElementException.class);
  }

  private void fill(int count) {
    for (int i = 0; i < count; i++) {
      members.put("name" + i, Json.text("" + i));
    }
  }
}
