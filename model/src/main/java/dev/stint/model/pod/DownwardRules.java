package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Formats;
import dev.stint.model.field.Words;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules of what a pod may read of itself: fields and resources. */
final class DownwardRules {
  /** Every path that names a field of a pod, whether it may be read or not. */
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

  private DownwardRules() {}

  /** Checks {@code fieldRef} and {@code resourceFieldRef} of a variable's source. */
  static void environment(At source, Faults faults) {
    references(source, FOR_VARIABLES, faults);
  }

  /** Checks the items of a downward API volume. */
  static void files(At items, Faults faults) {
    for (At item : items.items()) {
      FileRules.relativePath(item.get("path"), faults);
      FileRules.mode(item.get("mode"), faults);
      At field = item.get("fieldRef");
      At resource = item.get("resourceFieldRef");
      if (!field.exists() && !resource.exists()) {
        faults.required(field, "or resourceFieldRef is needed");
      } else if (field.exists() && resource.exists()) {
        faults.invalid(item, "fieldRef and resourceFieldRef exclude each other");
      }
      references(item, FOR_FILES, faults);
      if (resource.exists() && resource.get("containerName").isEmpty()) {
        faults.required(resource.get("containerName"), "is needed");
      }
    }
  }

  private static void references(At holder, Set<String> readable, Faults faults) {
    At field = holder.get("fieldRef");
    if (field.exists()) {
      fieldPath(field.get("fieldPath"), readable, faults);
    }
    At resource = holder.get("resourceFieldRef", "resource");
    if (holder.get("resourceFieldRef").exists()) {
      if (resource.isEmpty()) {
        faults.required(resource, "is needed");
      } else if (!RESOURCES.contains(resource.text()) && !resource.text().contains(".hugepages-")) {
        faults.notSupported(resource, RESOURCES);
      }
    }
  }

  private static void fieldPath(At path, Set<String> readable, Faults faults) {
    if (path.isEmpty()) {
      faults.required(path, "is needed");
      return;
    }
    Matcher entry = ENTRY.matcher(path.text());
    if (entry.matches()) {
      faults.invalidUnlessSound(path, Formats.qualifiedName(entry.group(2)));
    } else if (!KNOWN.contains(path.text())) {
      faults.invalid(path, Words.quoted(path.text()) + " is no field of a pod");
    } else if (!readable.contains(path.text())) {
      faults.notSupported(path, readable);
    }
  }
}
