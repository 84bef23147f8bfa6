package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.ClusterException;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.Fault;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestTime;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class JobItemsTest {
  private final FakeCluster cluster = new FakeCluster(Runnable::run, new TestTime());

  private static KubeObject job(String annotation, String value) {
    ObjectNode tree = JobBuilder.indexed("a").completions(3).build().copy();
    tree.withObjectProperty("metadata").withObjectProperty("annotations").put(annotation, value);
    return KubeObject.of(tree);
  }

  @Test
  void anAnnotationHoldsTheItems() {
    JobItems items = JobItems.of(cluster, job("stint.dev/items", "a\nb\tc\n")).orElseThrow();
    assertThat(items.display(0)).contains("a");
    assertThat(items.display(1)).contains("b\\x09c");
    assertThat(items.display(2)).isEmpty();
  }

  @Test
  void anAnnotationNamesTheConfigMapOfTheItems() {
    cluster.add(
        """
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "default"},
         "data": {"items": "a\\nb\\n", "more": "x\\n"}}
        """);
    assertThat(display("c", 1)).isEqualTo("b");
    assertThat(display("c/more", 0)).isEqualTo("x");
    assertThat(JobItems.of(cluster, job("stint.dev/items-config-map", "none"))).isEmpty();
    assertThat(JobItems.of(cluster, JobBuilder.indexed("a").completions(3).build())).isEmpty();
  }

  /** Lines of a list that cannot be read must not be taken for lines that are not in it. */
  @Test
  void onlyPeopleAreShownNoItemsIfTheseCannotBeRead() {
    cluster.before(Fault.unavailable(_ -> true));
    KubeObject job = job("stint.dev/items-config-map", "c");
    assertThatThrownBy(() -> JobItems.of(cluster, job)).isInstanceOf(ClusterException.class);
    assertThat(JobItems.readable(cluster, job)).isEmpty();
  }

  @Test
  void aSearchEndsWithTheItems() {
    JobItems items = JobItems.of(cluster, job("stint.dev/items", "a\nb\nab\n")).orElseThrow();
    assertThat(items.search("A", Integer.MAX_VALUE, 100)).containsOnlyKeys(0, 2);
    assertThat(items.search("", Integer.MAX_VALUE, 2)).containsOnlyKeys(0, 1);
  }

  private String display(String named, int index) {
    return JobItems.of(cluster, job("stint.dev/items-config-map", named))
        .orElseThrow()
        .display(index)
        .orElseThrow();
  }
}
