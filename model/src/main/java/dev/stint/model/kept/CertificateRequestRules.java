package dev.stint.model.kept;

import dev.stint.model.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rules of requests for certificates. A cluster records the user who asks; nobody signs here, so no
 * request names one, and no client can name another.
 */
public final class CertificateRequestRules implements KeptRules {
  private static final List<String> REQUESTER = List.of("username", "uid", "groups", "extra");
  private static final List<String> USAGES = List.of("digital signature", "key encipherment");

  @Override
  public void complete(ObjectNode request, @Nullable ObjectNode stored) {
    if (stored != null) {
      JsonNode spec = stored.get("spec");
      if (spec != null) {
        request.set("spec", spec);
      }
      return;
    }
    ObjectNode spec = Json.objectAt(request, "spec");
    if (spec != null) {
      spec.remove(REQUESTER);
      JsonNode usages = spec.get("usages");
      if (usages == null || usages.isEmpty()) {
        USAGES.forEach(spec.putArray("usages")::add);
      }
    }
  }
}
