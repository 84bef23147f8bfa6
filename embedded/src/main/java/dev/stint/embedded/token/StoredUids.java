package dev.stint.embedded.token;

import dev.stint.apiserver.Registry;
import dev.stint.apiserver.access.ObjectUids;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.pod.PodPhase;
import dev.stint.model.pod.TokenVolume;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The uids of the objects of an API.
 *
 * @param clock the clock of tokens
 */
public record StoredUids(Registry registry, InstantSource clock) implements ObjectUids {
  /** The time that tokens outlive the deletion of an object that a finalizer keeps. */
  private static final Duration LEEWAY = Duration.ofMinutes(1);

  @Override
  public @Nullable String of(ObjectRef object) {
    return registry.uid(object);
  }

  @Override
  public @Nullable String ofLive(ObjectRef ref) {
    KubeObject object = registry.find(ref);
    return object == null || isOver(object, clock.instant()) ? null : object.uid();
  }

  /** True if an object was deleted some time ago, or is a pod that has ended. */
  static boolean isOver(KubeObject object, Instant now) {
    Instant deleted = object.deletionTimestamp();
    return deleted != null && deleted.plus(LEEWAY).isBefore(now)
        || object.kindName().equals(Kind.POD.kind()) && PodPhase.of(object).isTerminal();
  }

  @Override
  public @Nullable String accountOf(ObjectRef pod) {
    KubeObject object = registry.find(pod);
    return object == null ? null : TokenVolume.account(object.spec());
  }
}
