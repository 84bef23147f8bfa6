package dev.stint.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.index.IndexSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

class IndexMapTest {
  private int pods;

  private ConsolePod pod(int index, IndexCell state, int attempts) {
    return new ConsolePod("u" + ++pods, "job", "p" + index, index, state, attempts, null, null);
  }

  private static char[] cells(
      @Nullable String failed, boolean over, Map<Integer, List<ConsolePod>> pods) {
    IndexSet forGood = failed == null ? null : IndexSet.salvage(failed);
    Map<Integer, Map<String, ConsolePod>> byUid = new HashMap<>();
    pods.forEach((index, of) ->
        byUid.put(index, of.stream().collect(Collectors.toMap(ConsolePod::uid, each -> each))));
    return IndexMap.of(6, IndexSet.salvage("0,1"), forGood, over, byUid);
  }

  private static List<IndexCell> states(char[] cells) {
    return new String(cells).chars().mapToObj(each -> IndexMap.state((char) each)).toList();
  }

  @Test
  void theStatusOfTheJobTakesPrecedenceOverItsPods() {
    char[] cells =
        cells(
            "2",
            false,
            Map.of(
                0, List.of(pod(0, IndexCell.FAILED, 1), pod(0, IndexCell.SUCCEEDED, 1)),
                2, List.of(pod(2, IndexCell.FAILED, 1), pod(2, IndexCell.FAILED, 1)),
                3, List.of(pod(3, IndexCell.FAILED, 1), pod(3, IndexCell.RUNNING, 1)),
                4, List.of(pod(4, IndexCell.FAILED, 1)),
                99, List.of(pod(99, IndexCell.RUNNING, 1))));
    assertThat(states(cells))
        .containsExactly(
            IndexCell.SUCCEEDED,
            IndexCell.SUCCEEDED,
            IndexCell.FAILED,
            IndexCell.RUNNING,
            IndexCell.RETRYING,
            IndexCell.NONE);
    assertThat(List.of(0, 1, 2, 3, 4, 5))
        .extracting(index -> IndexMap.attempts(cells[index]))
        .containsExactly(2, 0, 2, 2, 1, 0);
  }

  @Test
  void aStoppedPodMattersLessThanItsReplacement() {
    Map<Integer, List<ConsolePod>> pods =
        Map.of(
            3, List.of(pod(3, IndexCell.STOPPED, 1)),
            4, List.of(pod(4, IndexCell.STOPPED, 1), pod(4, IndexCell.WAITING, 1)));
    assertThat(states(cells(null, false, pods)).subList(3, 5))
        .containsExactly(IndexCell.STOPPED, IndexCell.WAITING);
  }

  @Test
  void podsThatAFinishedJobHasNotCountedShowAsStopped() {
    Map<Integer, List<ConsolePod>> pods =
        Map.of(
            3, List.of(pod(3, IndexCell.SUCCEEDED, 1)),
            4, List.of(pod(4, IndexCell.FAILED, 1)));
    assertThat(states(cells("2", true, pods)).subList(2, 6))
        .containsExactly(IndexCell.FAILED, IndexCell.STOPPED, IndexCell.STOPPED, IndexCell.NONE);
    assertThat(states(cells(null, true, pods)).subList(2, 6))
        .as("without a limit per index, a failed pod is all that is known")
        .containsExactly(IndexCell.NONE, IndexCell.STOPPED, IndexCell.FAILED, IndexCell.NONE);
  }

  @Test
  void manyEqualChangesAreEncodedBriefly() {
    int size = 100_000;
    char[] before = IndexMap.of(size, IndexSet.EMPTY, null, false, Map.of());
    char[] now = IndexMap.of(size, IndexSet.range(0, size - 1), null, false, Map.of());
    assertThat(IndexMap.changes(before, now)).hasToString("[[3,0,\"0-99999\"]]");
    assertThat(IndexMap.changes(now, now)).isEmpty();
  }

  @Test
  void allChangesTogetherGiveTheWholeMap() throws IndexSet.FormatException {
    long seed = 20261121;
    Random random = new Random(seed);
    char[] shown = new char[300];
    char[] before = null;
    for (int round = 0; round < 50; round++) {
      char[] now = before == null ? new char[300] : before.clone();
      for (int change = random.nextInt(200); change > 0; change--) {
        now[random.nextInt(now.length)] = (char) (random.nextInt(4) << 3 | random.nextInt(7));
      }
      take(IndexMap.changes(before, now), shown);
      assertThat(shown).as("seed " + seed + ", round " + round).isEqualTo(now);
      before = now;
    }
  }

  private static void take(ArrayNode changes, char[] shown) throws IndexSet.FormatException {
    for (JsonNode each : (ArrayNode) Json.read(Json.bytes(changes))) {
      char code = (char) (each.get(1).intValue() << 3 | each.get(0).intValue());
      IndexSet.parse(each.get(2).stringValue()).forEach(index -> shown[index] = code);
    }
  }
}
