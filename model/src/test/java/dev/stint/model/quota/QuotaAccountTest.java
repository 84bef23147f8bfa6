package dev.stint.model.quota;

import static dev.stint.model.quota.QuotaTexts.json;
import static dev.stint.model.quota.QuotaTexts.pod;
import static dev.stint.model.quota.QuotaTexts.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Kind;
import dev.stint.model.quota.QuotaAccount.Counted;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A quota's status says what its namespace uses. */
class QuotaAccountTest {
  @Test
  void allObjectsAreCounted() {
    QuotaAccount quota =
        quota("'hard':{'pods':'5','requests.cpu':'2','count/jobs.batch':'1','services':'1'}", "");
    assertThat(
            quota
                .recounted(
                    quota.counted(
                        Stream.of(
                            new Counted(Kind.POD, pod("Running", "500m")),
                            new Counted(Kind.POD, pod("Pending", "500m")),
                            new Counted(Kind.POD, pod("Failed", "500m")),
                            new Counted(Kind.JOB, json("{}")))))
                .get("status"))
        .isEqualTo(
            json(
                "{'hard':{'count/jobs.batch':'1','pods':'5','requests.cpu':'2','services':'1'},"
                    + "'used':{'count/jobs.batch':'1','pods':'2','requests.cpu':'1','services':'0'}}"));
  }

  @Test
  void aCurrentStatusStaysTheSameDocument() {
    QuotaAccount quota = quota("'hard':{'pods':'5'}", "'hard':{'pods':'5'},'used':{'pods':'1'}");
    assertThat(
            quota
                .recounted(quota.counted(Stream.of(new Counted(Kind.POD, pod("Running", "1")))))
                .get("status"))
        .isEqualTo(json("{'hard':{'pods':'5'},'used':{'pods':'1'}}"));
    assertThat(
            quota.recounted(quota.counted(Stream.of(new Counted(Kind.POD, pod("Running", "1"))))))
        .isSameAs(
            quota.recounted(quota.counted(Stream.of(new Counted(Kind.POD, pod("Running", "1"))))));
  }

  @Test
  void aQuotaWithScopesCountsThesePodsAndNothingElse() {
    QuotaAccount quota =
        quota("'hard':{'pods':'5','count/jobs.batch':'5'},'scopes':['Terminating']", "");
    assertThat(quota.countedKinds()).containsExactly(Kind.POD);
    assertThat(
            quota
                .recounted(
                    quota.counted(
                        Stream.of(
                            new Counted(Kind.POD, json("{'spec':{'activeDeadlineSeconds':1}}")),
                            new Counted(Kind.POD, json("{'spec':{}}")),
                            new Counted(Kind.JOB, json("{}")))))
                .at("/status/used"))
        .isEqualTo(json("{'count/jobs.batch':'0','pods':'1'}"));
  }

  @Test
  void onlyWhatIsLimitedIsRead() {
    assertThat(
            quota("'hard':{'configmaps':'1','count/leases.coordination.k8s.io':'1'}", "")
                .countedKinds())
        .containsExactly(Kind.CONFIG_MAP, Kind.LEASE);
    assertThat(quota("'hard':{'limits.cpu':'1'}", "").countedKinds()).containsExactly(Kind.POD);
    assertThat(quota("'hard':{'count/pods':'1'}", "").countedKinds()).containsExactly(Kind.POD);
    assertThat(quota("'hard':{'count/events':'1'}", "").countedKinds()).isEmpty();
  }

  @Test
  void uncountedResourcesHaveNoUsage() {
    QuotaAccount quota = quota("'hard':{'count/deployments.apps':'1','a.b/gpu':'1'}", "");
    assertThat(quota.recounted(quota.counted(Stream.of())).at("/status/used"))
        .isEqualTo(json("{}"));
  }
}
