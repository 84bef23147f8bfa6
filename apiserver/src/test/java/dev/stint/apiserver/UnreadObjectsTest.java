package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.store.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class UnreadObjectsTest {
  @Test
  void onlyWhatIsAskedForIsMade() {
    List<Entry> made = new ArrayList<>();
    List<Entry> entries =
        Stream.of("a", "b", "c").map(key -> new Entry(key, new byte[0], 1, 1)).toList();
    UnreadObjects objects =
        new UnreadObjects(
            entries,
            entry -> {
              made.add(entry);
              ObjectNode tree = Json.object();
              tree.putObject("metadata").put("name", entry.key());
              return KubeObject.of(tree);
            });
    assertThat(objects.size()).isEqualTo(3);
    assertThat(made).isEmpty();
    assertThat(objects.subList(0, 2)).extracting(KubeObject::name).containsExactly("a", "b");
    assertThat(made).containsExactlyElementsOf(entries.subList(0, 2));
  }
}
