package dev.stint.runner.process.isolation;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The machine's files, as far as mount planning reads them. */
interface HostFileSystem {
  /** The kind of a file. */
  enum FileType {
    DIRECTORY,
    LINK,
    /** Anything else: files, devices, sockets. */
    FILE
  }

  /** An entry of a directory. */
  record Entry(Path path, FileType kind) {}

  boolean exists(Path path);

  boolean isDirectory(Path path);

  /** Returns the target of an existing path with all links resolved. */
  Path real(Path path) throws IOException;

  List<Entry> entries(Path directory) throws IOException;

  /** Returns the target of a link. */
  Path link(Path path) throws IOException;

  /** True if all users may make entries there, and remove their own: as in /tmp. */
  boolean isForAll(Path directory) throws IOException;

  /** The files of this machine. */
  HostFileSystem MACHINE =
      new HostFileSystem() {
        private static final int STICKY = 01000;

        @Override
        public boolean exists(Path path) {
          return Files.exists(path);
        }

        @Override
        public boolean isDirectory(Path path) {
          return Files.isDirectory(path);
        }

        @Override
        public Path real(Path path) throws IOException {
          return path.toRealPath();
        }

        @Override
        public List<Entry> entries(Path directory) throws IOException {
          List<Entry> entries = new ArrayList<>();
          try (DirectoryStream<Path> found = Files.newDirectoryStream(directory)) {
            found.forEach(path -> entries.add(new Entry(path, kind(path))));
          }
          return entries;
        }

        @Override
        public Path link(Path path) throws IOException {
          return Files.readSymbolicLink(path);
        }

        @Override
        public boolean isForAll(Path directory) throws IOException {
          return ((int) Files.getAttribute(directory, "unix:mode") & STICKY) != 0;
        }

        private FileType kind(Path path) {
          if (Files.isSymbolicLink(path)) {
            return FileType.LINK;
          }
          return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
              ? FileType.DIRECTORY
              : FileType.FILE;
        }
      };
}
