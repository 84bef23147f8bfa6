package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.MessagePhrases;
import java.util.List;

/** Rules of paths and modes of files. */
final class VolumeFileRules {
  private VolumeFileRules() {}

  /** Checks a required path below a directory. */
  static void relativePath(FieldPath path, FieldErrors faults) {
    if (path.isEmpty()) {
      faults.required(path, "is required");
    } else if (!staysBelow(path.text()) || path.text().startsWith("..")) {
      faults.invalid(
          path, MessagePhrases.quoted(path.text()) + " must be a relative path without \"..\"");
    }
  }

  /**
   * Checks a path that may be absolute, but has no step ".." and does not begin with "..", which is
   * reserved.
   */
  static void unreservedPath(FieldPath path, FieldErrors faults) {
    if (path.isEmpty()) {
      faults.required(path, "is required");
    } else if (climbs(path.text()) || path.text().startsWith("..")) {
      faults.invalid(path, MessagePhrases.quoted(path.text()) + " must not have \"..\" in it");
    }
  }

  /** True if a path is relative and has no step "..". */
  static boolean staysBelow(String path) {
    return !path.startsWith("/") && !climbs(path);
  }

  /** True if one of a path's steps is "..". */
  static boolean climbs(String path) {
    return List.of(path.split("/", -1)).contains("..");
  }

  static void mode(FieldPath mode, FieldErrors faults) {
    if (mode.count() < 0 || mode.count() > 0777) {
      faults.invalid(mode, mode.count() + " must be from 0 to 511 (octal 0777)");
    }
  }

  /** Checks the keys of a config map or secret, and the paths of their files. */
  static void items(FieldPath items, FieldErrors faults) {
    for (FieldPath item : items.items()) {
      if (item.get("key").isEmpty()) {
        faults.required(item.get("key"), "is required");
      }
      relativePath(item.get("path"), faults);
      mode(item.get("mode"), faults);
    }
  }
}
