package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.MessagePhrases;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Rules of a container's volume mounts and devices. */
final class VolumeMountRules {
  private static final List<String> PROPAGATIONS =
      List.of("None", "HostToContainer", "Bidirectional");
  private static final List<String> RECURSIONS = List.of("Disabled", "Enabled", "IfPossible");

  private VolumeMountRules() {}

  static void check(FieldPath container, Map<String, FieldPath> volumes, FieldErrors faults) {
    FieldPath mounts = container.get("volumeMounts");
    FieldPath devices = container.get("volumeDevices");
    Set<String> paths = new HashSet<>();
    for (FieldPath mount : mounts.items()) {
      name(mount.get("name"), volumes, faults);
      path(mount.get("mountPath"), paths, faults);
      other(mount.get("name"), devices, "name", faults);
      other(mount.get("mountPath"), devices, "devicePath", faults);
      subPaths(mount, mounts, faults);
      FieldPath unnumbered = mount.reportedAt(mounts);
      propagation(unnumbered, container, faults);
      recursiveReadOnly(unnumbered, faults);
    }
    devices(devices, mounts, volumes, faults);
  }

  private static void devices(
      FieldPath devices, FieldPath mounts, Map<String, FieldPath> volumes, FieldErrors faults) {
    Set<String> names = new HashSet<>();
    Set<String> paths = new HashSet<>();
    for (FieldPath device : devices.items()) {
      FieldPath name = device.get("name");
      name(name, volumes, faults);
      FieldPath volume = volumes.get(name.text());
      if (volume != null
          && !volume.get("persistentVolumeClaim").exists()
          && !volume.get("ephemeral").exists()) {
        faults.invalid(name, "must be a persistentVolumeClaim or ephemeral volume for a device");
      }
      if (!name.isEmpty() && !names.add(name.text())) {
        faults.invalid(name, MessagePhrases.quoted(name.text()) + " occurs twice");
      }
      FieldPath path = device.get("devicePath");
      path(path, paths, faults);
      if (VolumeFileRules.climbs(path.text())) {
        faults.invalid(path, "must not have \"..\" in it");
      }
      other(name, mounts, "name", faults);
      other(path, mounts, "mountPath", faults);
    }
  }

  private static void name(FieldPath name, Map<String, FieldPath> volumes, FieldErrors faults) {
    if (name.isEmpty()) {
      faults.required(name, "is required");
    }
    if (!volumes.containsKey(name.text())) {
      faults.notFound(name, MessagePhrases.quoted(name.text()) + " is not a volume of the pod");
    }
  }

  private static void path(FieldPath path, Set<String> paths, FieldErrors faults) {
    if (path.isEmpty()) {
      faults.required(path, "is required");
    }
    if (!paths.add(path.text())) {
      faults.invalid(path, MessagePhrases.quoted(path.text()) + " occurs twice");
    }
  }

  /** Checks that no path is both a mount and a device. */
  private static void other(FieldPath value, FieldPath others, String member, FieldErrors faults) {
    Set<String> taken =
        others.items().stream().map(other -> other.get(member).text()).collect(Collectors.toSet());
    if (taken.contains(value.text())) {
      faults.invalid(
          value, MessagePhrases.quoted(value.text()) + " is both a mountPath and a devicePath");
    }
  }

  private static void subPaths(FieldPath mount, FieldPath mounts, FieldErrors faults) {
    FieldPath subPath = mount.get("subPath");
    FieldPath expression = mount.get("subPathExpr");
    if (!subPath.isEmpty() && !expression.isEmpty()) {
      faults.invalid(expression, "and subPath are mutually exclusive");
    }
    // These paths have no index, as in Kubernetes.
    for (String member : List.of("subPath", "subPathExpr")) {
      FieldPath path = mount.reportedAt(mounts).get(member);
      if (!VolumeFileRules.staysBelow(path.text())) {
        faults.invalid(path, "must be a relative path without \"..\"");
      }
    }
  }

  private static void propagation(FieldPath mount, FieldPath container, FieldErrors faults) {
    FieldPath propagation = mount.get("mountPropagation");
    faults.notSupportedUnlessIn(propagation, PROPAGATIONS);
    if (propagation.text().equals("Bidirectional")
        && !container.get("securityContext", "privileged").isTrue()) {
      faults.forbidden(propagation, "Bidirectional is only allowed for privileged containers");
    }
  }

  private static void recursiveReadOnly(FieldPath mount, FieldErrors faults) {
    FieldPath recursive = mount.get("recursiveReadOnly");
    faults.notSupportedUnlessIn(recursive, RECURSIONS);
    if (!recursive.text().equals("Enabled") && !recursive.text().equals("IfPossible")) {
      return;
    }
    if (!mount.get("readOnly").isTrue()) {
      faults.forbidden(recursive, "is only allowed for mounts with readOnly");
    }
    FieldPath propagation = mount.get("mountPropagation");
    if (propagation.exists() && !propagation.text().equals("None")) {
      faults.forbidden(recursive, "needs mountPropagation to be None or left out");
    }
  }
}
