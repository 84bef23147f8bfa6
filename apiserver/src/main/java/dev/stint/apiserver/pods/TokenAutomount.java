package dev.stint.apiserver.pods;

import dev.stint.apiserver.outcome.NewObject;
import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.pod.TokenVolume;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Decides which new pods get a token of their service account at its usual path. */
public enum TokenAutomount {
  /** None: nothing here issues tokens to pods. */
  NEVER,
  /** Those that say so by {@code automountServiceAccountToken}, or whose account does. */
  ON_REQUEST,
  /** All but those that refuse it, as in a cluster. */
  BY_DEFAULT;

  private static final String PULL_SECRETS = "imagePullSecrets";

  /**
   * Returns a new pod with its account, with the volume and the mounts of the token if it gets one,
   * and with the account's secrets for pulling images if it names none.
   *
   * @param accounts returns the document of a service account; null if there is none
   * @throws ClusterException {@code FORBIDDEN} if its account does not exist, as in a cluster
   */
  public KubeObject admit(KubeObject pod, Function<ObjectRef, @Nullable ObjectNode> accounts)
      throws ClusterException {
    ObjectNode spec = this == NEVER ? null : pod.spec();
    if (spec == null) {
      return pod;
    }
    ObjectRef ref = account(pod, spec);
    Boolean asked = Json.bool(spec, TokenVolume.AUTOMOUNT);
    ObjectNode account = accounts.apply(ref);
    if (this == BY_DEFAULT && account == null) {
      throw ApiErrors.forbidden(
          new ObjectRef(Kind.POD, ref.namespace(), pod.name()),
          "error looking up service account %s/%s: serviceaccount \"%s\" not found"
              .formatted(ref.namespace(), ref.name(), ref.name()));
    }
    Boolean general = account == null ? null : Json.bool(account, TokenVolume.AUTOMOUNT);
    boolean mounted = asked != null ? asked : general != null ? general : this == BY_DEFAULT;
    ArrayNode pullSecrets = pullSecrets(spec, account);
    if (!mounted && this == ON_REQUEST && pullSecrets.isEmpty() && !hasToken(spec)) {
      return pod;
    }
    ObjectNode copy = pod.copy();
    ObjectNode own = copy.withObjectProperty("spec");
    own.put("serviceAccountName", ref.name());
    if (!pullSecrets.isEmpty()) {
      own.set(PULL_SECRETS, pullSecrets.deepCopy());
    }
    if (mounted) {
      TokenVolume.add(own);
    }
    return KubeObject.of(copy);
  }

  /** Returns the account's secrets for pulling images if the pod names none itself. */
  private static ArrayNode pullSecrets(ObjectNode spec, @Nullable ObjectNode account) {
    ArrayNode own = Json.arrayAt(spec, PULL_SECRETS);
    ArrayNode given = own == null || own.isEmpty() ? Json.arrayAt(account, PULL_SECRETS) : null;
    return given == null ? Json.array() : given;
  }

  private static ObjectRef account(KubeObject pod, ObjectNode spec) {
    String namespace = pod.namespace().isEmpty() ? NewObject.DEFAULT_NAMESPACE : pod.namespace();
    return new ObjectRef(Kind.SERVICE_ACCOUNT, namespace, TokenVolume.account(spec));
  }

  private static boolean hasToken(ObjectNode spec) {
    ArrayNode volumes = Json.arrayAt(spec, "volumes");
    return volumes != null && volumes.valueStream().anyMatch(TokenAutomount::isToken);
  }

  private static boolean isToken(JsonNode volume) {
    ArrayNode sources = Json.arrayAt(Json.objectAt(volume, "projected"), "sources");
    return sources != null
        && sources.valueStream().anyMatch(source -> source.hasNonNull("serviceAccountToken"));
  }
}
