package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.field.MessagePhrases;
import java.util.List;
import java.util.Optional;

/** Rules of {@code env} and {@code envFrom}. */
final class EnvironmentRules {
  private static final List<String> SOURCES =
      List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef");

  private EnvironmentRules() {}

  /**
   * @param volumes the volumes of the pod, valid or not
   */
  static void check(FieldPath container, FieldPath volumes, FieldErrors faults) {
    container.get("env").items().forEach(variable -> variable(variable, volumes, faults));
    FieldPath from = container.get("envFrom");
    from.items().forEach(source -> bulkSource(from, source, faults));
  }

  private static void variable(FieldPath variable, FieldPath volumes, FieldErrors faults) {
    FieldPath name = variable.get("name");
    if (name.isEmpty()) {
      faults.required(name, "is required");
    } else {
      faults.invalidUnlessSound(name, Formats.environmentName(name.text()));
    }
    FieldPath source = variable.get("valueFrom");
    if (source.exists()) {
      source(source, !variable.get("value").isEmpty(), faults);
      if (source.get("fileKeyRef").exists()) {
        file(source.get("fileKeyRef"), volumes, faults);
      }
    }
  }

  private static void source(FieldPath source, boolean hasValue, FieldErrors faults) {
    long sources = SOURCES.stream().filter(kind -> source.get(kind).exists()).count();
    if (sources == 0) {
      faults.invalid(source, "needs one of " + String.join(", ", SOURCES));
    } else if (hasValue) {
      faults.invalid(source, "and value are mutually exclusive");
    } else if (sources > 1) {
      faults.invalid(source, "may have only one source");
    }
    DownwardApiRules.environment(source, faults);
    for (String kind : List.of("configMapKeyRef", "secretKeyRef")) {
      FieldPath reference = source.get(kind);
      if (reference.exists()) {
        FieldPath name = reference.get("name");
        faults.invalidUnlessSound(name, Formats.dnsSubdomain(name.text()));
        key(reference.get("key"), faults);
      }
    }
  }

  /** Checks a variable from a file, which an init container writes to an emptyDir (KEP-3721). */
  private static void file(FieldPath file, FieldPath volumes, FieldErrors faults) {
    FieldPath key = file.get("key");
    if (key.isEmpty()) {
      faults.required(key, "is required");
    } else {
      faults.invalidUnlessSound(key, Formats.environmentName(key.text()));
    }
    VolumeFileRules.unreservedPath(file.get("path"), faults);
    FieldPath name = file.get("volumeName");
    if (name.isEmpty()) {
      faults.required(name, "is required");
    } else {
      faults.invalidUnlessSound(name, Formats.dnsLabel(name.text()));
    }
    Optional<FieldPath> volume =
        volumes.items().stream()
            .filter(each -> each.get("name").text().equals(name.text()))
            .findFirst();
    if (volume.isEmpty()) {
      faults.notFound(name, MessagePhrases.quoted(name.text()) + " is not a volume of the pod");
    } else if (!volume.get().get("emptyDir").exists()) {
      faults.invalid(name, MessagePhrases.quoted(name.text()) + " must be an emptyDir");
    }
  }

  private static void key(FieldPath key, FieldErrors faults) {
    if (key.isEmpty()) {
      faults.required(key, "is required");
    } else {
      faults.invalidUnlessSound(key, Formats.configKey(key.text()));
    }
  }

  private static void bulkSource(FieldPath envFrom, FieldPath source, FieldErrors faults) {
    FieldPath prefix = source.get("prefix");
    if (!prefix.isEmpty()) {
      faults.invalidUnlessSound(prefix, Formats.environmentName(prefix.text()));
    }
    FieldPath configMap = source.get("configMapRef");
    FieldPath secret = source.get("secretRef");
    if (configMap.exists() == secret.exists()) {
      faults.invalid(envFrom, "each item needs one of configMapRef and secretRef");
    }
    for (FieldPath reference : List.of(configMap, secret)) {
      FieldPath name = reference.get("name");
      if (reference.exists() && name.isEmpty()) {
        faults.required(name, "is required");
      } else if (reference.exists()) {
        faults.invalidUnlessSound(name, Formats.dnsSubdomain(name.text()));
      }
    }
  }
}
