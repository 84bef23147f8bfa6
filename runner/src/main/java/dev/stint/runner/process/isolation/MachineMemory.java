package dev.stint.runner.process.isolation;

import dev.stint.runner.file.Errnos;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.volume.PodVolumes;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Mounts memory of this machine. Takes root. */
public final class MachineMemory implements PodVolumes.Memory {
  @Override
  public void mount(Path directory, @Nullable Long bytes) throws IOException {
    int result = Posix.mountMemory(directory.toString(), bytes);
    if (result < 0) {
      throw new IOException("cannot mount memory at " + directory + ": " + Errnos.text(-result));
    }
  }

  @Override
  public void unmount(Path directory) {
    Posix.unmount(directory.toString());
  }
}
