package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.index.IndexSet;
import org.junit.jupiter.api.Test;

class SuccessCriteriaTest {
  private static PolicyInput job(String rules, int... succeeded) {
    PolicyInput job =
        PolicyInputs.of(
            "{'completionMode':'Indexed','completions':10,'successPolicy':{'rules':["
                + rules
                + "]}}");
    return PolicyInputs.indexes(job, IndexSet.of(succeeded), IndexSet.EMPTY);
  }

  @Test
  @Covers({"SP-27", "SP-61"})
  void aRuleOfIndexesWantsEveryOneOfThem() {
    assertThat(SuccessCriteria.evaluate(job("{'succeededIndexes':'0,2'}", 0, 1))).isEmpty();
    assertThat(SuccessCriteria.evaluate(job("{'succeededIndexes':'0,2'}", 0, 1, 2))).isPresent();
  }

  @Test
  @Covers("SP-28")
  void aRuleOfACountWantsThatManyOrMore() {
    assertThat(SuccessCriteria.evaluate(job("{'succeededCount':2}", 7))).isEmpty();
    assertThat(SuccessCriteria.evaluate(job("{'succeededCount':2}", 7, 9))).isPresent();
    assertThat(SuccessCriteria.evaluate(job("{'succeededCount':2}", 6, 7, 9))).isPresent();
  }

  @Test
  @Covers("SP-29")
  void withBothOnlyTheNamedIndexesCount() {
    String rule = "{'succeededIndexes':'1-4','succeededCount':3}";
    assertThat(SuccessCriteria.evaluate(job(rule, 1, 3, 5))).isEmpty();
    assertThat(SuccessCriteria.evaluate(job(rule, 1, 3, 4, 5))).isPresent();
  }

  @Test
  @Covers({"SP-26", "SP-39", "SP-25"})
  void theFirstRuleThatIsMetDecides() {
    String rules = "{'succeededIndexes':'0'},{'succeededIndexes':'1-9','succeededCount':5}";
    assertThat(SuccessCriteria.evaluate(job(rules, 1, 2, 3, 4, 5)))
        .contains(
            new Verdict.Interim("SuccessCriteriaMet", "SuccessPolicy", "Matched rules at index 1"));
    assertThat(SuccessCriteria.evaluate(job(rules, 0, 1, 2, 3, 4, 5)))
        .contains(
            new Verdict.Interim("SuccessCriteriaMet", "SuccessPolicy", "Matched rules at index 0"));
  }

  @Test
  @Covers("SP-08")
  void anEmptySetOfIndexesIsNeverMet() {
    assertThat(SuccessCriteria.evaluate(job("{'succeededIndexes':''}", 0, 1))).isEmpty();
  }

  @Test
  @Covers({"SP-01", "SP-44"})
  void withoutAPolicyOrWithTheGateOffNothingIsMet() {
    assertThat(
            SuccessCriteria.evaluate(
                PolicyInputs.of("{'completionMode':'Indexed','completions':1}")))
        .isEmpty();
    FeatureGates off = FeatureGates.DEFAULT.with(Gate.JobSuccessPolicy, false);
    assertThat(SuccessCriteria.evaluate(PolicyInputs.gates(job("{'succeededCount':1}", 0), off)))
        .isEmpty();
  }
}
