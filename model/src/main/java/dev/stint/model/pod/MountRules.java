package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Words;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of a container's volume mounts and devices. */
final class MountRules {
  private static final List<String> PROPAGATIONS =
      List.of("None", "HostToContainer", "Bidirectional");

  private MountRules() {}

  static void check(At container, Set<String> volumes, Faults faults) {
    Set<String> paths = new HashSet<>();
    At mounts = container.get("volumeMounts");
    for (At mount : mounts.items()) {
      name(mount.get("name"), volumes, faults);
      path(mount.get("mountPath"), paths, faults);
      subPaths(mounts, mount, faults);
      propagation(mount, container, faults);
    }
    for (At device : container.get("volumeDevices").items()) {
      name(device.get("name"), volumes, faults);
      path(device.get("devicePath"), paths, faults);
    }
  }

  private static void name(At name, Set<String> volumes, Faults faults) {
    if (name.isEmpty()) {
      faults.required(name, "is needed");
    }
    if (!volumes.contains(name.text())) {
      faults.notFound(name, Words.quoted(name.text()) + " is no volume of the pod");
    }
  }

  private static void path(At path, Set<String> paths, Faults faults) {
    if (path.isEmpty()) {
      faults.required(path, "is needed");
    } else if (!paths.add(path.text())) {
      faults.invalid(path, Words.quoted(path.text()) + " stands here twice");
    }
  }

  /** The paths of these faults leave out the index, as Kubernetes' do. */
  private static void subPaths(At mounts, At mount, Faults faults) {
    String subPath = mount.get("subPath").text();
    String expression = mount.get("subPathExpr").text();
    if (!subPath.isEmpty() && !expression.isEmpty()) {
      faults.invalid(mounts.path() + ".subPathExpr", "and subPath exclude each other");
    }
    if (!FileRules.staysBelow(subPath)) {
      faults.invalid(mounts.path() + ".subPath", "must be a relative path without \"..\"");
    }
    if (!FileRules.staysBelow(expression)) {
      faults.invalid(mounts.path() + ".subPathExpr", "must be a relative path without \"..\"");
    }
  }

  private static void propagation(At mount, At container, Faults faults) {
    At propagation = mount.get("mountPropagation");
    faults.notSupportedUnlessIn(propagation, PROPAGATIONS);
    if (propagation.text().equals("Bidirectional")
        && !container.get("securityContext", "privileged").isTrue()) {
      faults.forbidden(propagation, "Bidirectional is for privileged containers only");
    }
  }
}
