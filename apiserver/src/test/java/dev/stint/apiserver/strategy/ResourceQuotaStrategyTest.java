package dev.stint.apiserver.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.World;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import org.junit.jupiter.api.Test;

/** Resource quotas are checked; their status is not their writers'. */
class ResourceQuotaStrategyTest {
  private final World world = new World();

  @Test
  void aNewQuotaHasNoUsage() {
    KubeObject quota =
        world.create(quota("'spec':{'hard':{'cpu':'1'}},'status':{'used':{'cpu':'1'}}"));
    assertThat(quota.spec()).isEqualTo(World.tree("{'hard':{'cpu':'1'}}"));
    assertThat(quota.status()).isEqualTo(World.tree("{}"));
  }

  @Test
  void aQuotaThatMeansNothingIsRefused() {
    assertThat(
            world
                .refusal(world.api.create(World.document(quota("'spec':{'hard':{'x':'1'}}"))))
                .causes())
        .extracting(FieldError::path)
        .containsExactly("spec.hard[x]");
  }

  @Test
  void limitsChangeAndScopesStay() {
    KubeObject stored = world.create(quota("'spec':{'hard':{'pods':'1'},'scopes':['BestEffort']}"));
    assertThat(world.patch(stored.ref(), "{'spec':{'hard':{'pods':'2'}}}").spec())
        .isEqualTo(World.tree("{'hard':{'pods':'2'},'scopes':['BestEffort']}"));
    assertThat(
            world
                .refusal(
                    world.api.patch(
                        stored.ref(), World.tree("{'spec':{'scopes':['NotBestEffort']}}")))
                .causes())
        .extracting(FieldError::path)
        .containsExactly("spec.scopes");
  }

  @Test
  void aStatusHasAmounts() {
    KubeObject stored = world.create(quota("'spec':{'hard':{'pods':'1'}}"));
    String status = "{'status':{'hard':{'pods':'1'},'used':{'pods':'%s'}}}";
    assertThat(
            world
                .answer(world.api.patchStatus(stored.ref(), World.tree(status.formatted("1"))))
                .status())
        .isEqualTo(World.tree("{'hard':{'pods':'1'},'used':{'pods':'1'}}"));
    assertThat(
            world
                .refusal(world.api.patchStatus(stored.ref(), World.tree(status.formatted("-1"))))
                .causes())
        .extracting(FieldError::path)
        .containsExactly("status.used[pods]");
  }

  private static String quota(String rest) {
    return "{'apiVersion':'v1','kind':'ResourceQuota','metadata':{'name':'q','namespace':'default'},"
        + rest
        + "}";
  }
}
