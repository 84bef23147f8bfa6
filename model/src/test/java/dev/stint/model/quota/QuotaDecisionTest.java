package dev.stint.model.quota;

import static dev.stint.model.quota.QuotaTexts.json;
import static dev.stint.model.quota.QuotaTexts.pod;
import static dev.stint.model.quota.QuotaTexts.quota;
import static dev.stint.model.quota.QuotaTexts.unused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Kind;
import dev.stint.model.Quantity;
import dev.stint.model.quota.QuotaAccount.Counted;
import dev.stint.model.quota.QuotaDecision.ObjectChange;
import dev.stint.model.quota.QuotaDecision.Refused;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Quotas refuse what there is no room for, and keep count of everything else. */
class QuotaDecisionTest {
  private static final QuotaAccount FULL =
      quota(
          "'hard':{'pods':'2','requests.cpu':'1'}",
          "'hard':{'pods':'2','requests.cpu':'1'},'used':{'pods':'2','requests.cpu':'600m'}");

  @Test
  void aCreationUsesWhatIsLeft() {
    assertThat(changed(unused("'pods':'2','requests.cpu':'1'"), null, pod("Pending", "500m")))
        .isEqualTo("{\"pods\":\"1\",\"requests.cpu\":\"500m\"}");
  }

  @Test
  void aCreationBeyondTheLimitIsRefused() {
    assertThat(refusal(FULL, pod("Pending", "500m")))
        .isEqualTo(
            "exceeded quota: q, requested: pods=1,requests.cpu=500m, used:"
                + " pods=2,requests.cpu=600m, limited: pods=2,requests.cpu=1");
    assertThat(refusal(FULL, pod("Pending", "400m")))
        .isEqualTo("exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2");
  }

  @Test
  void aCreationThatDoesNotSayHowMuchIsRefused() {
    assertThat(refusal(unused("'limits.cpu':'9'"), pod("Pending", "1")))
        .isEqualTo("failed quota: q: must specify limits.cpu for: a");
  }

  @Test
  void aQuotaWithOtherScopesDoesNotApply() {
    QuotaAccount terminating =
        quota(
            "'hard':{'pods':'0','limits.cpu':'0'},'scopes':['Terminating']",
            "'hard':{'pods':'0','limits.cpu':'0'},'used':{'pods':'0','limits.cpu':'0'}");
    assertThat(changed(terminating, null, pod("Pending", "1"))).isEqualTo("-");
  }

  @Test
  void theEndOfAPodFreesWhatItUsed() {
    assertThat(changed(FULL, pod("Running", "500m"), pod("Succeeded", "500m")))
        .isEqualTo("{\"pods\":\"1\",\"requests.cpu\":\"100m\"}");
    assertThat(changed(FULL, pod("Running", "500m"), null))
        .isEqualTo("{\"pods\":\"1\",\"requests.cpu\":\"100m\"}");
    assertThat(changed(FULL, pod("Failed", "500m"), null)).isEqualTo("-");
    assertThat(changed(FULL, pod("Pending", "500m"), pod("Running", "500m"))).isEqualTo("-");
  }

  @Test
  void nothingIsLeftLessThanUnused() {
    assertThat(changed(FULL, pod("Running", "700m"), null))
        .isEqualTo("{\"pods\":\"1\",\"requests.cpu\":\"0\"}");
  }

  @Test
  void aChangeThatUsesMoreIsCountedAndNotRefused() {
    QuotaAccount terminating =
        quota(
            "'hard':{'pods':'0'},'scopes':['Terminating']",
            "'hard':{'pods':'0'},'used':{'pods':'0'}");
    assertThat(
            changed(terminating, json("{'spec':{}}"), json("{'spec':{'activeDeadlineSeconds':1}}")))
        .isEqualTo("{\"pods\":\"1\"}");
  }

  @Test
  void aStatusThatIsNotCurrentIsCountedAnew() {
    QuotaAccount changedLimit =
        quota("'hard':{'pods':'3'}", "'hard':{'pods':'9'},'used':{'pods':'0'}");
    assertThat(changed(changedLimit, null, pod("Pending", "1"))).isEqualTo("{\"pods\":\"3\"}");
    QuotaAccount fresh = quota("'hard':{'pods':'2'}", "");
    assertThat(refusal(fresh, pod("Pending", "1")))
        .isEqualTo("exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2");
  }

  @Test
  void aStatusOfFormerLimitsIsReplacedOnceItIsWrong() {
    QuotaAccount formerly =
        quota("'hard':{'configmaps':'3'}", "'hard':{'pods':'9'},'used':{'pods':'2'}");
    assertThat(changed(formerly, null, pod("Pending", "1"))).isEqualTo("{\"configmaps\":\"2\"}");
    assertThat(changed(formerly, pod("Pending", "1"), pod("Running", "1"))).isEqualTo("-");
  }

  @Test
  void theFirstQuotaThatIsFullRefuses() {
    assertThat(
            QuotaDecision.about(
                new ObjectChange(Kind.POD, null, pod("Pending", "1")),
                List.of(unused("'pods':'1'"), FULL),
                _ -> new TreeMap<>()))
        .isInstanceOf(Refused.class);
  }

  /** Returns the usage after a change; "-" if it stays. Two pods exist. */
  private static String changed(
      QuotaAccount quota, @Nullable ObjectNode before, @Nullable ObjectNode after) {
    QuotaDecision decision =
        QuotaDecision.about(
            new ObjectChange(Kind.POD, before, after), List.of(quota), QuotaDecisionTest::counted);
    List<ObjectNode> quotas = ((QuotaDecision.Charged) decision).quotas();
    return quotas.isEmpty() ? "-" : quotas.getFirst().at("/status/used").toString();
  }

  private static String refusal(QuotaAccount quota, ObjectNode pod) {
    return ((Refused)
            QuotaDecision.about(
                new ObjectChange(Kind.POD, null, pod), List.of(quota), QuotaDecisionTest::counted))
        .why();
  }

  private static NavigableMap<String, Quantity> counted(QuotaAccount account) {
    return account.counted(account.countedKinds().stream().flatMap(QuotaDecisionTest::twoOf));
  }

  private static Stream<Counted> twoOf(Kind kind) {
    return Stream.of(
        new Counted(kind, pod("Running", "1")), new Counted(kind, pod("Running", "1")));
  }
}
