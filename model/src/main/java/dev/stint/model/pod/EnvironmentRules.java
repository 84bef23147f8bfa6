package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Formats;
import dev.stint.model.field.Words;
import java.util.List;
import java.util.Optional;

/** Rules of {@code env} and {@code envFrom}. */
final class EnvironmentRules {
  private static final List<String> SOURCES =
      List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef");

  private EnvironmentRules() {}

  /**
   * @param volumes those of the pod, sound or not
   */
  static void check(At container, At volumes, Faults faults) {
    container.get("env").items().forEach(variable -> variable(variable, volumes, faults));
    At from = container.get("envFrom");
    from.items().forEach(source -> bulkSource(from, source, faults));
  }

  private static void variable(At variable, At volumes, Faults faults) {
    At name = variable.get("name");
    if (name.isEmpty()) {
      faults.required(name, "is needed");
    } else {
      faults.invalidUnlessSound(name, Formats.environmentName(name.text()));
    }
    At source = variable.get("valueFrom");
    if (source.exists()) {
      source(source, !variable.get("value").isEmpty(), faults);
      if (source.get("fileKeyRef").exists()) {
        file(source.get("fileKeyRef"), volumes, faults);
      }
    }
  }

  private static void source(At source, boolean hasValue, Faults faults) {
    long sources = SOURCES.stream().filter(kind -> source.get(kind).exists()).count();
    if (sources == 0) {
      faults.invalid(source, "needs one of " + String.join(", ", SOURCES));
    } else if (hasValue) {
      faults.invalid(source, "and value exclude each other");
    } else if (sources > 1) {
      faults.invalid(source, "must have one source only");
    }
    DownwardRules.environment(source, faults);
    for (String kind : List.of("configMapKeyRef", "secretKeyRef")) {
      At reference = source.get(kind);
      if (reference.exists()) {
        At name = reference.get("name");
        faults.invalidUnlessSound(name, Formats.dnsSubdomain(name.text()));
        key(reference.get("key"), faults);
      }
    }
  }

  /** A variable in a file, which an init container leaves in an emptyDir (KEP-3721). */
  private static void file(At file, At volumes, Faults faults) {
    At key = file.get("key");
    if (key.isEmpty()) {
      faults.required(key, "is needed");
    } else {
      faults.invalidUnlessSound(key, Formats.environmentName(key.text()));
    }
    FileRules.unreservedPath(file.get("path"), faults);
    At name = file.get("volumeName");
    if (name.isEmpty()) {
      faults.required(name, "is needed");
    } else {
      faults.invalidUnlessSound(name, Formats.dnsLabel(name.text()));
    }
    Optional<At> volume =
        volumes.items().stream()
            .filter(each -> each.get("name").text().equals(name.text()))
            .findFirst();
    if (volume.isEmpty()) {
      faults.notFound(name, Words.quoted(name.text()) + " is no volume of the pod");
    } else if (!volume.get().get("emptyDir").exists()) {
      faults.invalid(name, Words.quoted(name.text()) + " must be an emptyDir");
    }
  }

  private static void key(At key, Faults faults) {
    if (key.isEmpty()) {
      faults.required(key, "is needed");
    } else {
      faults.invalidUnlessSound(key, Formats.configKey(key.text()));
    }
  }

  private static void bulkSource(At envFrom, At source, Faults faults) {
    At prefix = source.get("prefix");
    if (!prefix.isEmpty()) {
      faults.invalidUnlessSound(prefix, Formats.environmentName(prefix.text()));
    }
    At configMap = source.get("configMapRef");
    At secret = source.get("secretRef");
    if (configMap.exists() == secret.exists()) {
      faults.invalid(envFrom, "each item needs one of configMapRef and secretRef");
    }
    for (At reference : List.of(configMap, secret)) {
      At name = reference.get("name");
      if (reference.exists() && name.isEmpty()) {
        faults.required(name, "is needed");
      } else if (reference.exists()) {
        faults.invalidUnlessSound(name, Formats.dnsSubdomain(name.text()));
      }
    }
  }
}
