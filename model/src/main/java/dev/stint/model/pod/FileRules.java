package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.MessageWords;
import java.util.List;

/** Rules of paths and modes of files. */
final class FileRules {
  private FileRules() {}

  /** A path below a directory, which must be there. */
  static void relativePath(FieldPath path, FieldErrors faults) {
    if (path.isEmpty()) {
      faults.required(path, "is needed");
    } else if (!staysBelow(path.text()) || path.text().startsWith("..")) {
      faults.invalid(
          path, MessageWords.quoted(path.text()) + " must be a relative path without \"..\"");
    }
  }

  /** A path that may be absolute, but neither climbs nor begins with "..", which is reserved. */
  static void unreservedPath(FieldPath path, FieldErrors faults) {
    if (path.isEmpty()) {
      faults.required(path, "is needed");
    } else if (climbs(path.text()) || path.text().startsWith("..")) {
      faults.invalid(path, MessageWords.quoted(path.text()) + " must not have \"..\" in it");
    }
  }

  /** Whether a path is relative and does not climb. */
  static boolean staysBelow(String path) {
    return !path.startsWith("/") && !climbs(path);
  }

  /** Whether one of a path's steps is "..". */
  static boolean climbs(String path) {
    return List.of(path.split("/", -1)).contains("..");
  }

  static void mode(FieldPath mode, FieldErrors faults) {
    if (mode.count() < 0 || mode.count() > 0777) {
      faults.invalid(mode, mode.count() + " must be from 0 to 511 (octal 0777)");
    }
  }

  /** Keys of a config map or secret, and the files that they become. */
  static void items(FieldPath items, FieldErrors faults) {
    for (FieldPath item : items.items()) {
      if (item.get("key").isEmpty()) {
        faults.required(item.get("key"), "is needed");
      }
      relativePath(item.get("path"), faults);
      mode(item.get("mode"), faults);
    }
  }
}
