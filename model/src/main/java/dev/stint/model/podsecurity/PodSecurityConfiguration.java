package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads a {@code PodSecurityConfiguration}, the configuration that Kubernetes has for this
 * admission plugin: the defaults of namespaces without labels, and exemptions.
 */
public final class PodSecurityConfiguration {
  private static final String GROUP = "pod-security.admission.config.k8s.io/";
  private static final List<String> API_VERSIONS =
      List.of(GROUP + "v1", GROUP + "v1beta1", GROUP + "v1alpha1");
  private static final String KIND = "PodSecurityConfiguration";

  private PodSecurityConfiguration() {}

  /** Reads the settings; those with faults have their usual values. */
  public static PodSecuritySettings read(FieldPath configuration, FieldErrors faults) {
    faults.notSupportedUnlessIn(configuration.get("apiVersion"), API_VERSIONS);
    faults.notSupportedUnlessIn(configuration.get("kind"), List.of(KIND));
    known(configuration, Set.of("apiVersion", "kind", "defaults", "exemptions"), faults);
    FieldPath exemptions = configuration.get("exemptions");
    known(exemptions, Set.of("usernames", "runtimeClasses", "namespaces"), faults);
    return new PodSecuritySettings(
        policy(configuration.get("defaults"), faults),
        texts(exemptions.get("usernames"), faults),
        texts(exemptions.get("runtimeClasses"), faults),
        texts(exemptions.get("namespaces"), faults));
  }

  private static NamespacePolicy policy(FieldPath defaults, FieldErrors faults) {
    for (FieldPath member : defaults.entries()) {
      String mode = member.key().replace(PodSecurityLabels.VERSION_SUFFIX, "");
      boolean version = member.key().endsWith(PodSecurityLabels.VERSION_SUFFIX);
      if (!PodSecurityLabels.MODES.contains(mode)) {
        faults.unknown(member.path(), "unknown field");
      } else if (version && PolicyVersion.parse(member.text()) == null) {
        faults.invalid(member, "must be \"latest\" or \"v1.x\"");
      } else if (!version && PodSecurityLevel.of(member.text()) == null) {
        faults.invalid(member, "must be one of privileged, baseline, restricted");
      }
    }
    return NamespacePolicy.of(
        label -> {
          FieldPath member =
              defaults.get(label == null ? "" : label.substring(PodSecurityLabels.PREFIX.length()));
          return member.exists() ? member.text() : null;
        },
        NamespacePolicy.PRIVILEGED);
  }

  private static Set<String> texts(FieldPath list, FieldErrors faults) {
    if (list.exists() && !list.node().isArray()) {
      faults.invalid(list, "must be a list");
    }
    for (FieldPath item : list.items()) {
      if (item.text().isEmpty()) {
        faults.invalid(item, "must be a name");
      }
    }
    return list.items().stream().map(FieldPath::text).collect(Collectors.toSet());
  }

  private static void known(FieldPath object, Set<String> members, FieldErrors faults) {
    for (FieldPath member : object.entries()) {
      if (!members.contains(member.key())) {
        faults.unknown(object.get(member.key()).path(), "unknown field");
      }
    }
  }
}
