package dev.stint.controllers.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ObjectList;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.quota.QuotaAccount;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ListedUsageTest {
  private final QuotaAccount account = new QuotaAccount(quota(), Kind.all());
  private final ListedUsage usage = new ListedUsage(account, Kind.CONFIG_MAP);

  @Test
  void partsAddUp() {
    add("7", "a", "b");
    add("7", "c");
    assertCount(3);
  }

  @Test
  void aPartThatIsRepeatedCountsOnce() {
    add("7", "a", "b");
    add("7", "a", "b");
    add("7", "c");
    assertCount(3);
  }

  @Test
  void aPartOfAnotherRevisionStartsAnew() {
    add("7", "a", "b");
    add("9", "b");
    assertCount(1);
  }

  private void add(String revision, String... names) {
    List<KubeObject> items = Stream.of(names).map(ListedUsageTest::configMap).toList();
    assertThat(usage.add(new ObjectList(items, revision))).isCompleted();
  }

  private static KubeObject configMap(String name) {
    ObjectNode map = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
    map.putObject("metadata").put("name", name).put("namespace", "n").put("uid", "uid-" + name);
    return KubeObject.of(map);
  }

  private static ObjectNode quota() {
    ObjectNode quota = Json.object();
    quota.putObject("spec").putObject("hard").put("configmaps", "5");
    return quota;
  }

  private void assertCount(int expected) {
    assertThat(account.recounted(usage.used()).at("/status/used/configmaps").asString())
        .isEqualTo(String.valueOf(expected));
  }
}
