package dev.stint.model.kept;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;

/** Checks ports. */
final class Ports {
  static final int HIGHEST = 65_535;

  private Ports() {}

  static void number(FieldPath port, FieldErrors faults) {
    if (port.count() < 1 || port.count() > HIGHEST) {
      faults.invalid(port, "must be between 1 and 65535, inclusive");
    }
  }

  /** Checks a port's number or name. */
  static void numberOrName(FieldPath port, FieldErrors faults) {
    if (port.node().isString()) {
      faults.invalidUnlessSound(port, Formats.portName(port.text()));
    } else {
      number(port, faults);
    }
  }
}
