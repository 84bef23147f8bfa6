package dev.stint.apiserver.http.pod;

import static dev.stint.apiserver.http.HttpApi.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.http.HttpApi;
import dev.stint.apiserver.http.HttpApi.Answer;
import dev.stint.harness.PodBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodSubresourceHandlerTest {
  private final HttpApi api = new HttpApi(ApiServer.Options.defaults().withNode("here"));

  @BeforeEach
  void create() {
    assertThat(api.post(PODS, PodBuilder.named("p")).code()).isEqualTo(201);
  }

  @AfterEach
  void close() {
    api.close();
  }

  private Answer evict(String query, String version, String options) {
    return api.post(
        PODS + "/p/eviction" + query,
        "{'apiVersion': '%s', 'kind': 'Eviction', 'metadata': {'name': 'p'}, 'deleteOptions': %s}"
            .formatted(version, options));
  }

  private Answer pod() {
    return api.get(PODS + "/p");
  }

  @Test
  void anEvictionDeletes() {
    assertThat(evict("", "policy/v1", "{'gracePeriodSeconds': 7}").code()).isEqualTo(201);
    assertThat(pod().at("/status/conditions/0/type")).isEqualTo("DisruptionTarget");
    assertThat(pod().at("/metadata/deletionGracePeriodSeconds")).isEqualTo("7");
  }

  @Test
  void aDryRunOfAnEvictionChangesNothing() {
    Answer before = pod();
    assertThat(evict("", "policy/v1", "{'dryRun': ['All']}").code()).isEqualTo(201);
    assertThat(evict("?dryRun=All", "policy/v1", "null").code()).isEqualTo(201);
    assertThat(evict("?dryRun=All", "policy/v1", "{'dryRun': ['All']}").code()).isEqualTo(201);
    assertThat(pod()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'dryRun': ['Some']} | dryRun",
        "{'propagationPolicy': 'Maybe'} | propagationPolicy",
        "{'propagationPolicy': 'Orphan', 'orphanDependents': true} | propagationPolicy"
      })
  void refusesOptionsThatADeletionRefuses(String options, String field) {
    Answer before = pod();
    Answer refused = evict("", "policy/v1", options.strip());
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.causes()).containsExactly(field);
    assertThat(pod()).isEqualTo(before);
  }

  @Test
  void preconditionsHoldForEvictions() {
    String version = pod().at("/metadata/resourceVersion");
    assertThat(evict("", "policy/v1", "{'preconditions': {'uid': 'other'}}").code()).isEqualTo(409);
    assertThat(
            evict("?dryRun=All", "policy/v1", "{'preconditions': {'resourceVersion': '1'}}").code())
        .isEqualTo(409);
    String same = "{'preconditions': {'resourceVersion': '%s'}}".formatted(version);
    assertThat(evict("", "policy/v1", same).code()).isEqualTo(201);
    assertThat(pod().at("/metadata/deletionTimestamp")).isNotEmpty();
  }

  @Test
  void olderClientsEvictToo() {
    assertThat(evict("", "policy/v1beta1", "{}").code()).isEqualTo(201);
    assertThat(evict("", "policy/v2", "{}").code()).isEqualTo(400);
  }

  @Test
  void nobodyIsEvictedWhoIsNotThere() {
    Answer missing =
        api.post(
            PODS + "/q/eviction",
            "{'apiVersion': 'policy/v1', 'kind': 'Eviction', 'metadata': {'name': 'q'}}");
    assertThat(missing.code()).isEqualTo(404);
  }
}
