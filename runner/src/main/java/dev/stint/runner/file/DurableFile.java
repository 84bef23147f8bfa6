package dev.stint.runner.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** A small file of this program's user only, which is replaced as a whole. */
public final class DurableFile {
  private DurableFile() {}

  /** Replaces the file. It is the old or the new one, also if the power fails. */
  public static void replace(Path file, byte[] content) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
    Files.deleteIfExists(unfinished);
    Files.createFile(
        unfinished,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(unfinished, content, StandardOpenOption.SYNC);
    Files.move(
        unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent())) {
      directory.force(true);
    }
  }
}
