package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PodNameGeneratorTest {
  private static PodNameGenerator.Choice choice(
      PodNameGenerator names, String uid, int generation, int failed) {
    KubeObject job =
        KubeObject.of(
            Json.parse(
                "{\"metadata\":{\"uid\":\"" + uid + "\",\"generation\":" + generation + "}}"));
    JobStatus status = JobStatus.read(Json.parse("{\"failed\":" + failed + "}"));
    return names.choice(job, status);
  }

  private static String first(PodNameGenerator names, String uid, int generation, int failed) {
    return choice(names, uid, generation, failed).next("j-0-", 0);
  }

  @Test
  void controllersWithTheSameKnowledgeChooseTheSameNames() {
    PodNameGenerator.Choice one = choice(new PodNameGenerator(), "u", 1, 0);
    PodNameGenerator.Choice other = choice(new PodNameGenerator(), "u", 1, 0);
    for (int index = 0; index < 100; index++) {
      assertThat(one.next("j-", index)).isEqualTo(other.next("j-", index)).matches("j-[a-z0-9]{5}");
    }
  }

  @Test
  void knowledgeOfSomePodsDoesNotChangeTheNamesOfOthers() {
    PodNameGenerator.Choice all = choice(new PodNameGenerator(), "u", 1, 0);
    Set<String> wanted = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      wanted.add(all.next("j-", -1));
    }
    PodNameGenerator later = new PodNameGenerator();
    wanted.stream().sorted().limit(20).forEach(later::put);
    Set<String> given = new HashSet<>(wanted.stream().sorted().limit(20).toList());
    PodNameGenerator.Choice rest = choice(later, "u", 1, 0);
    for (int i = 0; i < 30; i++) {
      given.add(rest.next("j-", -1));
    }
    assertThat(given).isEqualTo(wanted);
  }

  @Test
  void anotherJobSpecOrCountGivesOtherNames() {
    PodNameGenerator names = new PodNameGenerator();
    assertThat(
            Set.of(
                first(names, "u", 1, 0),
                first(names, "v", 1, 0),
                first(names, "u", 2, 0),
                first(names, "u", 1, 1)))
        .hasSize(4);
  }

  @Test
  void namesOfExistingAndFormerPodsAreNotReused() {
    PodNameGenerator names = new PodNameGenerator();
    String taken = first(names, "u", 1, 0);
    names.put(taken);
    assertThat(first(names, "u", 1, 0)).isNotEqualTo(taken);
    names.remove(taken);
    assertThat(first(names, "u", 1, 0)).isNotEqualTo(taken);
  }

  @Test
  void noNameIsGivenTwiceInOnePlan() {
    PodNameGenerator.Choice choice = choice(new PodNameGenerator(), "u", 1, 0);
    Set<String> given = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      assertThat(given.add(choice.next("j-", -1))).isTrue();
    }
  }
}
