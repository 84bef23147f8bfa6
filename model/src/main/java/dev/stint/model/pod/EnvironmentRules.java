package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Formats;
import java.util.List;

/** Rules of {@code env} and {@code envFrom}. */
final class EnvironmentRules {
  private static final List<String> SOURCES =
      List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef");

  private EnvironmentRules() {}

  static void check(At container, Faults faults) {
    container.get("env").items().forEach(variable -> variable(variable, faults));
    At from = container.get("envFrom");
    from.items().forEach(source -> bulkSource(from, source, faults));
  }

  private static void variable(At variable, Faults faults) {
    At name = variable.get("name");
    if (name.isEmpty()) {
      faults.required(name, "is needed");
    } else {
      faults.invalidUnlessSound(name, Formats.environmentName(name.text()));
    }
    At source = variable.get("valueFrom");
    if (source.exists()) {
      source(source, !variable.get("value").isEmpty(), faults);
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
      if (source.get(kind).exists()) {
        key(source.get(kind, "key"), faults);
      }
    }
    At file = source.get("fileKeyRef");
    if (file.exists()) {
      for (String member : List.of("volumeName", "path", "key")) {
        if (file.get(member).isEmpty()) {
          faults.required(file.get(member), "is needed");
        }
      }
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
      if (reference.exists() && reference.get("name").isEmpty()) {
        faults.required(reference.get("name"), "is needed");
      }
    }
  }
}
