package dev.stint.runner.volume;

import dev.stint.runner.env.VolumeFiles;
import dev.stint.runner.file.Handle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads small files in the volumes of pods. Containers can change what is there at any time, so no
 * link is followed, nothing but a regular file is read, and nothing waits for a container.
 *
 * @param volumes returns the directory of a pod's volumes, by the pod's uid
 */
public record FilesInVolumes(Function<String, Path> volumes) implements VolumeFiles {
  private static final int MOST_BYTES = 64 * 1024;

  @Override
  public Optional<String> read(String podUid, String volume, String path) throws IOException {
    Path whole = volumes.apply(podUid).resolve(volume);
    Path part = Path.of(path).normalize();
    if (part.isAbsolute() || part.startsWith("..")) {
      throw new IOException("the path leads out of the volume");
    }
    if (!Files.isDirectory(whole, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try (Handle directory = Handle.open(whole);
        Handle file = directory.beneath(part)) {
      return Optional.of(text(file));
    } catch (NoSuchFileException missing) {
      return Optional.empty();
    } catch (NotDirectoryException link) {
      throw new IOException("the path leads through a link or a file", link);
    }
  }

  private static String text(Handle file) throws IOException {
    if (!file.state().isRegularFile()) {
      throw new IOException("it is not a regular file");
    }
    try (FileChannel channel = opened(file);
        InputStream in = Channels.newInputStream(channel)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new IOException("it is larger than 64 KiB");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private static FileChannel opened(Handle file) throws IOException {
    try {
      return file.reader();
    } catch (FileSystemException fault) {
      String why = fault.getReason();
      throw new IOException(why == null ? "it cannot be opened" : "it " + why, fault);
    }
  }
}
