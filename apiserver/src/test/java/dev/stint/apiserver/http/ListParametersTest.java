package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.ListQuery;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListParametersTest {
  private static ListParameters read(String query, boolean watch) {
    return ListParameters.of(Kind.JOB, "", Query.of(query), watch);
  }

  @Test
  void withoutParametersEverythingMatches() {
    ListQuery query = read("", false).query(Kind.JOB, null, 9);
    assertThat(query.limit()).isZero();
    assertThat(query.revision()).isNull();
    assertThat(query.after()).isNull();
    assertThat(query.name()).isNull();
    assertThat(query.matching().test(job("a", "red"))).isTrue();
  }

  @Test
  void selectorsAreTakenTogether() {
    ListParameters parameters =
        read("labelSelector=team%3Dred&fieldSelector=metadata.name%3Da", false);
    assertThat(parameters.name()).isEqualTo("a");
    assertThat(parameters.matching().test(job("a", "red"))).isTrue();
    assertThat(parameters.matching().test(job("a", "blue"))).isFalse();
    assertThat(parameters.matching().test(job("b", "red"))).isFalse();
  }

  @Test
  void aPageGoesOnAtItsRevision() {
    String token = new Position(7, "/registry/batch/jobs/default/a").token();
    ListQuery query = read("limit=2&continue=" + token, false).query(Kind.JOB, null, 9);
    assertThat(query.revision()).isEqualTo(7);
    assertThat(query.after()).isEqualTo("/registry/batch/jobs/default/a");
    assertThat(query.limit()).isEqualTo(2);
  }

  @Test
  void anExactRevisionIsThatRevisionAndAnyOtherTheNewest() {
    assertThat(
            read("resourceVersion=5&resourceVersionMatch=Exact", false)
                .query(Kind.JOB, null, 9)
                .revision())
        .isEqualTo(5);
    assertThat(
            read("resourceVersion=5&resourceVersionMatch=NotOlderThan", false)
                .query(Kind.JOB, null, 9)
                .revision())
        .isNull();
  }

  @Test
  void aRevisionThatIsYetToComeTimesOut() {
    ListParameters parameters = read("resourceVersion=10", false);
    assertThatThrownBy(() -> parameters.query(Kind.JOB, null, 9))
        .isInstanceOfSatisfying(
            ClusterException.class,
            refusal -> assertThat(refusal.reason()).isEqualTo(Reason.TIMEOUT));
  }

  @ParameterizedTest
  @CsvSource({
    "resourceVersionMatch=Exact, false, INVALID",
    "resourceVersionMatch=Nope&resourceVersion=1, false, INVALID",
    "resourceVersionMatch=Exact&resourceVersion=0, false, INVALID",
    "resourceVersionMatch=NotOlderThan&resourceVersion=1, true, INVALID",
    "sendInitialEvents=true, false, INVALID",
    "sendInitialEvents=true, true, INVALID",
    "limit=-1, false, BAD_REQUEST",
    "limit=x, false, BAD_REQUEST",
    "resourceVersion=x, false, BAD_REQUEST",
    "continue=x, false, BAD_REQUEST",
    "labelSelector=a%3D%3D%3Db, false, BAD_REQUEST",
    "fieldSelector=spec.nope%3Da, false, BAD_REQUEST",
  })
  void whatCannotBeIsRefused(String query, boolean watch, Reason reason) {
    assertThatThrownBy(() -> read(query, watch))
        .isInstanceOfSatisfying(
            ClusterException.class, refusal -> assertThat(refusal.reason()).isEqualTo(reason));
  }

  private static KubeObject job(String name, String team) {
    var job = Json.object().put("apiVersion", "batch/v1").put("kind", "Job");
    job.putObject("metadata").put("name", name).putObject("labels").put("team", team);
    return KubeObject.of(job);
  }
}
