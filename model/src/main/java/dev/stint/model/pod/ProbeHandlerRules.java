package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.List;

/** Rules of handlers: a command, an HTTP request, a connection, a gRPC check. */
final class ProbeHandlerRules {
  private static final List<String> SCHEMES = List.of("HTTP", "HTTPS");

  private ProbeHandlerRules() {}

  /** Checks that exactly one of these handlers exists; only the first one is checked further. */
  static void exactlyOne(FieldPath holder, List<String> kinds, FieldErrors faults) {
    boolean found = false;
    for (String kind : kinds) {
      FieldPath handler = holder.get(kind);
      if (handler.exists() && found) {
        faults.forbidden(handler, "only one of " + String.join(", ", kinds) + " is allowed");
      } else if (handler.exists()) {
        found = true;
        one(handler, kind, faults);
      }
    }
    if (!found) {
      faults.required(holder, "needs one of " + String.join(", ", kinds));
    }
  }

  static void port(FieldPath port, FieldErrors faults) {
    if (port.node().isString()) {
      faults.invalidUnlessSound(port, Formats.portName(port.text()));
    } else {
      portNumber(port, faults);
    }
  }

  static void portNumber(FieldPath port, FieldErrors faults) {
    if (port.count() < 1 || port.count() > 65_535) {
      faults.invalid(port, port.count() + " must be from 1 to 65535");
    }
  }

  private static void one(FieldPath handler, String kind, FieldErrors faults) {
    switch (kind) {
      case "exec" -> {
        if (handler.get("command").isEmpty()) {
          faults.required(handler.get("command"), "is required");
        }
      }
      case "httpGet" -> httpGet(handler, faults);
      case "tcpSocket" -> port(handler.get("port"), faults);
      case "grpc" -> portNumber(handler.get("port"), faults);
      default -> {}
    }
  }

  private static void httpGet(FieldPath request, FieldErrors faults) {
    if (request.get("path").isEmpty()) {
      faults.required(request.get("path"), "is required");
    }
    port(request.get("port"), faults);
    faults.notSupportedUnlessIn(request.get("scheme"), SCHEMES);
    for (FieldPath header : request.get("httpHeaders").items()) {
      if (!header.get("name").text().matches("[-A-Za-z0-9]+")) {
        faults.invalid(request.get("httpHeaders"), "names must consist of letters, digits and '-'");
      }
    }
  }
}
