package dev.stint.apiserver.http.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.ListQuery;
import dev.stint.apiserver.http.QueryParameters;
import dev.stint.apiserver.http.view.PlainView;
import dev.stint.apiserver.selector.SelectableFields;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.harness.JobBuilder;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListParametersTest {
  private static ListParameters read(String query, boolean watch) {
    return ListParameters.of(SelectableFields.JOBS, QueryParameters.of(query), watch);
  }

  @Test
  void withoutParametersEverythingMatches() {
    ListQuery query = read("", false).query(Kind.JOB, null, 9, new PlainView());
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
    String token = new ContinueToken(7, "/registry/batch/jobs/default/a").token();
    ListQuery query =
        read("limit=2&continue=" + token, false).query(Kind.JOB, null, 9, new PlainView());
    assertThat(query.revision()).isEqualTo(7);
    assertThat(query.after()).isEqualTo("/registry/batch/jobs/default/a");
    assertThat(query.limit()).isEqualTo(2);
  }

  @Test
  void anExactRevisionIsThatRevisionAndAnyOtherTheNewest() {
    assertThat(
            read("resourceVersion=5&resourceVersionMatch=Exact", false)
                .query(Kind.JOB, null, 9, new PlainView())
                .revision())
        .isEqualTo(5);
    assertThat(
            read("resourceVersion=5&resourceVersionMatch=NotOlderThan", false)
                .query(Kind.JOB, null, 9, new PlainView())
                .revision())
        .isNull();
  }

  @Test
  void aLimitBelowOneIsNoneAndAnyVersionHasNoPages() {
    assertThat(read("limit=-1", false).limit()).isZero();
    assertThat(read("limit=2&resourceVersion=0", false).limit()).isZero();
  }

  @Test
  void aPageOfARevisionIsOfThatRevision() {
    assertThat(read("limit=2&resourceVersion=5", false).exact()).isTrue();
    assertThat(read("resourceVersion=5", false).exact()).isFalse();
    assertThat(read("limit=2&resourceVersion=5&resourceVersionMatch=NotOlderThan", false).exact())
        .isFalse();
  }

  @Test
  void nothingCutsAWatch() {
    ListParameters parameters = read("limit=2&continue=Nzovcg", true);
    assertThat(parameters.limit()).isZero();
    assertThat(parameters.position()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "'', true",
    "resourceVersion=0, true",
    "resourceVersion=7, false",
    "resourceVersion=7&resourceVersionMatch=NotOlderThan&sendInitialEvents=true, true",
    "resourceVersionMatch=NotOlderThan&sendInitialEvents=False, false",
  })
  void aWatchBeginsWithWhatThereIsUnlessToldOtherwise(String query, boolean initial) {
    assertThat(read(query, true).initialEvents()).isEqualTo(initial);
  }

  @Test
  void aTimeOfNothingIsTheServersOwn() {
    assertThat(read("timeoutSeconds=0", true).timeoutSeconds()).isNull();
    assertThat(read("timeoutSeconds=-1", true).timeoutSeconds()).isEqualTo(-1);
  }

  @Test
  void aRevisionThatIsYetToComeTimesOut() {
    ListParameters parameters = read("resourceVersion=10", false);
    assertThatThrownBy(() -> parameters.query(Kind.JOB, null, 9, new PlainView()))
        .isInstanceOfSatisfying(
            ClusterException.class,
            refusal -> {
              assertThat(refusal.reason()).isEqualTo(Reason.TIMEOUT);
              assertThat(refusal.causes()).hasSize(1);
            });
  }

  @ParameterizedTest
  @CsvSource({
    "resourceVersionMatch=Exact, false, INVALID",
    "resourceVersionMatch=Nope&resourceVersion=1, false, INVALID",
    "resourceVersionMatch=Exact&resourceVersion=0, false, INVALID",
    "resourceVersionMatch=NotOlderThan&resourceVersion=1, true, INVALID",
    "sendInitialEvents=true, false, INVALID",
    "sendInitialEvents=true, true, INVALID",
    "resourceVersionMatch=Exact&sendInitialEvents=true, true, INVALID",
    "resourceVersionMatch=NotOlderThan&sendInitialEvents=true&continue=x, true, INVALID",
    "limit=, false, BAD_REQUEST",
    "timeoutSeconds=soon, true, BAD_REQUEST",
    "resourceVersion=3&continue=Nzovcg, false, BAD_REQUEST",
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
    return JobBuilder.named(name).label("team", team).build();
  }
}
