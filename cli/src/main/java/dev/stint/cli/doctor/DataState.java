package dev.stint.cli.doctor;

import dev.stint.cli.location.DataLocation;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.data.DataDirectoryException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks at the data directory: whether it is there, its format, and the process that has it. */
final class DataState {
  private static final String SUBJECT = "data directory";

  private DataState() {}

  static Finding of(DataLocation location) {
    Path path = location.path();
    if (!Files.exists(path)) {
      return Finding.ok(SUBJECT, path + ", which the first run creates");
    }
    if (!Files.exists(location.layout().format()) && Files.isDirectory(path)) {
      return Finding.ok(SUBJECT, path + ", without state yet");
    }
    try {
      DataDirectory directory = DataDirectory.open(path);
      directory.close();
      return Finding.ok(
          SUBJECT, path + ", format " + DataDirectory.FORMAT + ", nobody has it open");
    } catch (DataDirectoryException refused) {
      return refused.holder() == null
          ? Finding.fault(
              SUBJECT,
              String.valueOf(refused.getMessage()),
              "make it usable, or name another one with --data")
          : Finding.ok(
              SUBJECT,
              "%s, open in %s, which serves other commands"
                  .formatted(path, DataLocation.readable(refused.holder())));
    }
  }
}
