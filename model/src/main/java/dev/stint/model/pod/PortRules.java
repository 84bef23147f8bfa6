package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of a container's ports. */
final class PortRules {
  private static final List<String> PROTOCOLS = List.of("TCP", "UDP", "SCTP");

  private PortRules() {}

  static void check(FieldPath ports, FieldErrors faults) {
    Set<String> names = new HashSet<>();
    for (FieldPath port : ports.items()) {
      name(port.get("name"), names, faults);
      if (port.get("containerPort").count() == 0) {
        faults.required(port.get("containerPort"), "is required");
      } else {
        ProbeHandlerRules.portNumber(port.get("containerPort"), faults);
      }
      if (port.get("hostPort").count() != 0) {
        ProbeHandlerRules.portNumber(port.get("hostPort"), faults);
      }
      faults.notSupportedUnlessIn(port.get("protocol"), PROTOCOLS);
    }
  }

  /**
   * Checks that no two containers have the same host port.
   *
   * @param taken the ports of earlier containers, by protocol and address; extended by this call
   */
  static void hostPorts(FieldPath ports, Set<String> taken, FieldErrors faults) {
    for (FieldPath port : ports.items()) {
      FieldPath hostPort = port.get("hostPort");
      String key =
          port.get("protocol").text() + "/" + port.get("hostIP").text() + "/" + hostPort.count();
      if (hostPort.count() != 0 && !taken.add(key)) {
        faults.duplicate(hostPort, hostPort.count() + " is already used by another container");
      }
    }
  }

  private static void name(FieldPath name, Set<String> names, FieldErrors faults) {
    if (name.isEmpty()) {
      return;
    }
    String complaint = Formats.portName(name.text());
    faults.invalidUnlessSound(name, complaint);
    if (complaint == null && !names.add(name.text())) {
      faults.duplicate(name, "\"" + name.text() + "\" already names another port");
    }
  }
}
