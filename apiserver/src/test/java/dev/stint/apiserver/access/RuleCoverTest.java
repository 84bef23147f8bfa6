package dev.stint.apiserver.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Rules cover what a look at each combination of words says, without such a look. */
class RuleCoverTest {
  private static final Set<String> NONE = Set.of();

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  @RepeatedTest(20)
  void agreesWithALookAtEachCombination() {
    for (int i = 0; i < 500; i++) {
      List<PolicyRule> own =
          Stream.generate(() -> PolicyRuleTest.rule(random)).limit(random.nextInt(5)).toList();
      PolicyRule other = PolicyRuleTest.rule(random);
      assertThat(cover(own).covers(other))
          .as("seed %d: %s covers %s", seed, own, other)
          .isEqualTo(naive(own, other));
    }
  }

  @RepeatedTest(20)
  void whatIsCoveredIsAllowed() {
    for (int i = 0; i < 500; i++) {
      List<PolicyRule> own = Stream.generate(() -> PolicyRuleTest.rule(random)).limit(3).toList();
      PolicyRule other = PolicyRuleTest.rule(random);
      if (cover(own).covers(other)) {
        for (RequestAttributes request : PolicyRuleTest.requests()) {
          assertThat(!other.allows(request) || own.stream().anyMatch(r -> r.allows(request)))
              .as("seed %d: %s covers %s for %s", seed, own, other, request)
              .isTrue();
        }
      }
      assertThat(cover(List.of(other)).covers(other)).as("seed %d", seed).isTrue();
      assertThat(cover(PolicyRule.EVERYTHING).covers(other)).isTrue();
    }
  }

  private static boolean naive(List<PolicyRule> own, PolicyRule other) {
    return other.verbs().stream()
        .allMatch(verb -> {
          List<PolicyRule> able = own.stream().filter(rule -> rule.matchesVerb(verb)).toList();
          return other.paths().stream()
                  .allMatch(path -> able.stream().anyMatch(rule -> rule.coversPath(path)))
              && other.groups().stream()
                  .allMatch(group ->
                      other.resources().stream()
                          .allMatch(resource -> naive(able, group, resource, other.names())));
        });
  }

  private static boolean naive(
      List<PolicyRule> able, String group, String resource, Set<String> names) {
    List<PolicyRule> left =
        able.stream()
            .filter(rule -> rule.matchesGroup(group) && rule.coversResource(resource))
            .toList();
    return names.isEmpty()
        ? left.stream().anyMatch(rule -> rule.names().isEmpty())
        : names.stream()
            .allMatch(name ->
                left.stream()
                    .anyMatch(rule -> rule.names().isEmpty() || rule.names().contains(name)));
  }

  @Test
  void manyCombinationsNeedFewLookups() {
    PolicyRule other =
        new PolicyRule(words(1_000), words(1_000), words(1_000), words(100_000), NONE);
    RuleCover cover = cover(PolicyRule.EVERYTHING);
    assertThat(cover.covers(other)).isTrue();
    assertThat(cover.lookups()).isLessThan(10_000);
  }

  @Test
  void manyCombinationsOfWhatSeveralRulesShareNeedFewLookups() {
    PolicyRule admin =
        new PolicyRule(Set.of("get", "list"), Set.of(""), Set.of("pods"), NONE, NONE);
    PolicyRule more = new PolicyRule(Set.of("get", "list"), Set.of(""), Set.of("jobs"), NONE, NONE);
    PolicyRule named =
        new PolicyRule(
            Set.of("get", "list"), Set.of(""), Set.of("pods", "jobs"), words(200_000), NONE);
    RuleCover cover = cover(List.of(admin, more));
    assertThat(cover.covers(named)).isTrue();
    assertThat(cover.lookups()).isLessThan(100);
  }

  /** As where a role with a rule for each of many names is bound to one more user. */
  @Test
  void aThousandRulesAgainstAThousandAreFarBelowTheLimit() {
    List<PolicyRule> many =
        words(1_000).stream()
            .map(name ->
                new PolicyRule(
                    Set.of("get", "list", "watch"),
                    Set.of(""),
                    Set.of("secrets"),
                    Set.of(name),
                    NONE))
            .toList();
    RuleCover cover = cover(many);
    assertThat(many).allMatch(cover::covers);
    assertThat(cover.lookups()).isLessThan(RuleCover.MOST_LOOKUPS / 25);
  }

  @Test
  void lookupsAreLimited() {
    PolicyRule own = new PolicyRule(Set.of("get"), NONE, NONE, NONE, Set.of("/a", "/b"));
    PolicyRule other = new PolicyRule(Set.of("get"), NONE, NONE, NONE, Set.of("/a", "/b"));
    RuleCover cover = new RuleCover(List.of(own), 10); // five for each question
    assertThat(cover.covers(other)).isTrue();
    assertThat(cover.covers(other)).isTrue();
    assertThat(cover.lookups()).isEqualTo(10);
    assertThatThrownBy(() -> cover.covers(other))
        .isInstanceOf(RuleCover.TooManyWordsException.class);
  }

  private static RuleCover cover(List<PolicyRule> own) {
    return new RuleCover(own, RuleCover.MOST_LOOKUPS);
  }

  private static Set<String> words(int count) {
    return IntStream.range(0, count).mapToObj(i -> "w" + i).collect(Collectors.toSet());
  }
}
