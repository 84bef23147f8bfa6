package dev.stint.model.pod;

import dev.stint.model.Quantity;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.field.MessagePhrases;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules of the downward API: the fields and resources that a pod may read of itself. */
final class DownwardApiRules {
  /** All paths that name a field of a pod, readable or not. */
  private static final Set<String> KNOWN =
      Set.of(
          "metadata.annotations",
          "metadata.labels",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.restartPolicy",
          "spec.schedulerName",
          "spec.serviceAccountName",
          "status.hostIP",
          "status.hostIPs",
          "status.phase",
          "status.podIP",
          "status.podIPs");

  private static final Set<String> FOR_VARIABLES =
      Set.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.serviceAccountName",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");

  private static final Set<String> FOR_FILES =
      Set.of(
          "metadata.annotations",
          "metadata.labels",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid");

  private static final Set<String> RESOURCES =
      Set.of(
          "limits.cpu",
          "limits.memory",
          "limits.ephemeral-storage",
          "requests.cpu",
          "requests.memory",
          "requests.ephemeral-storage");

  private static final Pattern ENTRY =
      Pattern.compile("metadata\\.(annotations|labels)\\['(.*)'\\]");

  private static final Pattern HUGE_PAGES = Pattern.compile("(?:limits|requests)\\.hugepages-");
  private static final Set<String> CPU_DIVISORS = Set.of("1m", "1");
  private static final Set<String> BYTE_DIVISORS =
      Set.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");

  private DownwardApiRules() {}

  /** Checks {@code fieldRef} and {@code resourceFieldRef} of a variable's source. */
  static void environment(FieldPath source, FieldErrors faults) {
    if (source.get("fieldRef").exists()) {
      fieldRef(source.get("fieldRef"), FOR_VARIABLES, faults);
    }
    if (source.get("resourceFieldRef").exists()) {
      resourceFieldRef(source.get("resourceFieldRef"), faults);
    }
  }

  /**
   * Checks the items of a downward API volume. Faults are reported at the volume, as in Kubernetes.
   */
  static void files(FieldPath volume, FieldErrors faults) {
    for (FieldPath item : volume.get("items").items()) {
      file(item.reportedAt(volume), faults);
    }
  }

  private static void file(FieldPath file, FieldErrors faults) {
    VolumeFileRules.relativePath(file.get("path"), faults);
    VolumeFileRules.mode(file.get("mode"), faults);
    FieldPath field = file.get("fieldRef");
    FieldPath resource = file.get("resourceFieldRef");
    if (field.exists()) {
      fieldRef(field, FOR_FILES, faults);
      if (resource.exists()) {
        faults.invalid(file.path(), "fieldRef and resourceFieldRef are mutually exclusive");
      }
    } else if (!resource.exists()) {
      faults.required(file, "needs fieldRef or resourceFieldRef");
    } else if (resource.get("containerName").isEmpty()) {
      faults.required(resource.get("containerName"), "is required");
    } else {
      resourceFieldRef(resource, faults);
    }
  }

  private static void fieldRef(FieldPath field, Set<String> readable, FieldErrors faults) {
    FieldPath version = field.get("apiVersion");
    FieldPath path = field.get("fieldPath");
    Matcher entry = ENTRY.matcher(path.text());
    if (path.isEmpty()) {
      faults.required(path, "is required");
    } else if (!version.text().equals("v1")) {
      faults.invalid(path, "has an API version other than v1");
    } else if (entry.matches()) {
      boolean label = entry.group(1).equals("labels");
      String key = label ? entry.group(2) : entry.group(2).toLowerCase(Locale.ROOT);
      faults.invalidUnlessSound(field, Formats.qualifiedName(key));
    } else if (!KNOWN.contains(path.text())) {
      faults.invalid(path, MessagePhrases.quoted(path.text()) + " is not a field of a pod");
    } else if (!readable.contains(path.text())) {
      faults.notSupported(path, readable);
    }
  }

  private static void resourceFieldRef(FieldPath reference, FieldErrors faults) {
    FieldPath resource = reference.get("resource");
    String name = resource.text();
    if (name.isEmpty()) {
      faults.required(resource, "is required");
      return;
    }
    if (!RESOURCES.contains(name) && !HUGE_PAGES.matcher(name).lookingAt()) {
      faults.notSupported(resource, RESOURCES);
      return;
    }
    FieldPath divisor = reference.get("divisor");
    Quantity amount = Quantity.parse(divisor.text());
    if (amount != null && amount.value().signum() != 0) {
      Set<String> divisors = name.endsWith(".cpu") ? CPU_DIVISORS : BYTE_DIVISORS;
      if (!divisors.contains(amount.canonical())) {
        faults.invalid(divisor, divisor.text() + " must be one of " + String.join(", ", divisors));
      }
    }
  }
}
