package dev.stint.model.kept;

import dev.stint.model.Json;
import dev.stint.model.pod.Defaults;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Rules of kinds that have defaults, but no rules beyond their schema. */
public final class DefaultRules implements KeptRules {
  public static final KeptRules VOLUMES =
      new DefaultRules((volume, stored) -> {
        if (stored == null) {
          volume.withObjectProperty("status").put("phase", "Pending");
        }
        ObjectNode spec = volume.withObjectProperty("spec");
        Defaults.text(spec, "persistentVolumeReclaimPolicy", "Retain");
        Defaults.optionalText(spec, "volumeMode", "Filesystem");
      });

  public static final KeptRules STORAGE_CLASSES =
      new DefaultRules((storage, _) -> {
        Defaults.optionalText(storage, "reclaimPolicy", "Delete");
        Defaults.optionalText(storage, "volumeBindingMode", "Immediate");
      });

  public static final KeptRules NETWORK_POLICIES =
      new DefaultRules((policy, _) -> policyTypes(policy.withObjectProperty("spec")));

  public static final KeptRules ENDPOINTS =
      new DefaultRules((endpoints, _) -> {
        ArrayNode subsets = Json.arrayAt(endpoints, "subsets");
        if (subsets != null) {
          subsets.forEach(DefaultRules::protocols);
        }
      });

  public static final KeptRules ENDPOINT_SLICES =
      new DefaultRules((slice, _) -> {
        protocols(slice);
        ArrayNode ports = Json.arrayAt(slice, "ports");
        if (ports != null) {
          ports.forEach(port -> Defaults.optionalText((ObjectNode) port, "name", ""));
        }
      });

  public static final KeptRules AUTOSCALERS =
      new DefaultRules((scaler, _) -> autoscaler(scaler.withObjectProperty("spec")));

  private final BiConsumer<ObjectNode, @Nullable ObjectNode> defaults;

  DefaultRules(BiConsumer<ObjectNode, @Nullable ObjectNode> defaults) {
    this.defaults = defaults;
  }

  @Override
  public void complete(ObjectNode object, @Nullable ObjectNode stored) {
    defaults.accept(object, stored);
  }

  private static void policyTypes(ObjectNode spec) {
    for (String direction : new String[] {"ingress", "egress"}) {
      ArrayNode rules = Json.arrayAt(spec, direction);
      if (rules != null) {
        rules.forEach(DefaultRules::protocols);
      }
    }
    ArrayNode known = Json.arrayAt(spec, "policyTypes");
    if (known == null || known.isEmpty()) {
      ArrayNode types = spec.putArray("policyTypes").add("Ingress");
      ArrayNode egress = Json.arrayAt(spec, "egress");
      if (egress != null && !egress.isEmpty()) {
        types.add("Egress");
      }
    }
  }

  private static void protocols(JsonNode rule) {
    ArrayNode ports = Json.arrayAt(rule, "ports");
    if (ports != null) {
      ports.forEach(port -> Defaults.optionalText((ObjectNode) port, "protocol", "TCP"));
    }
  }

  private static void autoscaler(ObjectNode spec) {
    Defaults.integer(spec, "minReplicas", 1);
    ArrayNode metrics = Json.arrayAt(spec, "metrics");
    if (metrics == null || metrics.isEmpty()) {
      ObjectNode metric = spec.putArray("metrics").addObject().put("type", "Resource");
      metric
          .putObject("resource")
          .put("name", "cpu")
          .putObject("target")
          .put("type", "Utilization")
          .put("averageUtilization", 80);
    }
  }
}
