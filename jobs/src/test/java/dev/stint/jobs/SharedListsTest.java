package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.InstantSource;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SharedListsTest {
  private final FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());
  private final KubeObject first = job("a");
  private final KubeObject rerun = job("a-rerun-1");

  private KubeObject job(String name) {
    return cluster.add(
        JobBuilder.named(name).podSpec("'volumes':[{'name':'list','configMap':{'name':'l'}}]"));
  }

  private void listOf(String... owners) {
    cluster.add(
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'l','namespace':'default',"
            + "'ownerReferences':[%s]}}".formatted(String.join(",", owners)));
  }

  private static String[] owners(KubeObject... jobs) {
    return Stream.of(jobs)
        .map(job -> owner("batch/v1", "Job", job.name(), job.uid()))
        .toArray(String[]::new);
  }

  private static String owner(String version, String kind, String name, String uid) {
    return "{'apiVersion':'%s','kind':'%s','name':'%s','uid':'%s'}"
        .formatted(version, kind, name, uid);
  }

  /**
   * Removes a Job as no controller is there; returns the names of the config maps that are left.
   */
  private String leftAfter(KubeObject removed) {
    cluster.erase(removed.ref());
    SharedLists.deleteUnowned(cluster, removed);
    return cluster.peekAll(Kind.CONFIG_MAP).stream()
        .map(KubeObject::name)
        .collect(Collectors.joining(","));
  }

  @Test
  void aListGoesWithItsJob() {
    listOf(owners(first));
    assertThat(leftAfter(first)).isEmpty();
  }

  @Test
  void aSharedListGoesWithTheLastOfItsJobs() {
    listOf(owners(first, rerun));
    assertThat(leftAfter(first)).isEqualTo("l");
    assertThat(leftAfter(rerun)).isEmpty();
  }

  /** A list that is used again and again may have many. */
  @Test
  void ownersThatAreGoneCostNoRequestsOfTheirOwn() {
    cluster.erase(rerun.ref());
    listOf(owners(rerun, rerun, rerun, first));
    cluster.gets = 0;
    assertThat(leftAfter(first)).isEmpty();
    assertThat(cluster.gets).as("the list").isEqualTo(1);
  }

  @Test
  void anotherJobOfTheNameOfAnOwnerIsNone() {
    listOf(owners(first, rerun));
    cluster.erase(rerun.ref());
    job("a-rerun-1");
    assertThat(leftAfter(first)).isEmpty();
  }

  @Test
  void aListThatAnotherKindOfObjectOwnsStays() {
    listOf(owners(first)[0], owner("example.com/v1", "Table", "t", "u"));
    assertThat(leftAfter(first)).isEqualTo("l");
  }

  @Test
  void aListThatNobodyOwnedStays() {
    listOf();
    assertThat(leftAfter(first)).isEqualTo("l");
  }
}
