package dev.stint.model.quota;

import static dev.stint.model.quota.QuotaTexts.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Containers name the amounts whose sum a quota limits. */
class ComputeRequirementsTest {
  private static final String BARE = "{'spec':{'containers':[{'name':'foo'},{'name':'bar'}]}}";

  @Test
  void containersWithoutAnAmountAreNamed() {
    assertThat(ComputeRequirements.missing(json(BARE), Set.of("memory", "cpu", "pods")))
        .isEqualTo("must specify cpu for: bar,foo; memory for: bar,foo");
    assertThat(ComputeRequirements.missing(json(BARE), Set.of("pods", "ephemeral-storage")))
        .isEmpty();
  }

  @Test
  void limitsAndRequestsAreApart() {
    String pod =
        "{'spec':{'containers':[{'name':'a','resources':{'requests':{'cpu':'1'}}}],"
            + "'initContainers':[{'name':'i','resources':{'limits':{'cpu':'1'}}}]}}";
    assertThat(ComputeRequirements.missing(json(pod), Set.of("limits.cpu", "requests.cpu")))
        .isEqualTo("must specify limits.cpu for: a; requests.cpu for: i");
  }

  @Test
  void anAmountOfThePodItselfIsEnough() {
    String pod = "{'spec':{'resources':{'limits':{'cpu':'1'}},'containers':[{'name':'a'}]}}";
    assertThat(ComputeRequirements.missing(json(pod), Set.of("limits.cpu"))).isEmpty();
  }
}
