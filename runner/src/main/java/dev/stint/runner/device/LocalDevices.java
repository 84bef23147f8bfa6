package dev.stint.runner.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds the GPUs of this machine by the files of their drivers. */
public final class LocalDevices {
  /** The resource of NVIDIA's GPUs, as its device plugin for Kubernetes names it. */
  public static final String NVIDIA = "nvidia.com/gpu";

  /** The resource of AMD's GPUs, as its device plugin for Kubernetes names it. */
  public static final String AMD = "amd.com/gpu";

  private static final Pattern NVIDIA_FILE = Pattern.compile("nvidia\\d{1,4}");

  /** Matches the UUID in what the driver says about a GPU. */
  private static final Pattern NVIDIA_UUID = Pattern.compile("GPU UUID:\\s+(GPU-[0-9a-f-]{36})\\b");

  private LocalDevices() {}

  /**
   * Returns the GPUs of this machine. Their IDs are those that the makers' libraries understand.
   */
  public static Devices find() {
    return find(Path.of("/"));
  }

  static Devices find(Path root) {
    return Devices.NONE.with(NVIDIA, nvidia(root)).with(AMD, amd(root));
  }

  /**
   * Returns the UUIDs of NVIDIA's GPUs; their ranks if the driver doesn't tell UUIDs. The number in
   * a file's name is neither: where only {@code nvidia5} is visible, CUDA counts it as 0.
   */
  private static List<String> nvidia(Path root) {
    int files = names(root.resolve("dev"), name -> NVIDIA_FILE.matcher(name).matches()).size();
    Path gpus = root.resolve("proc/driver/nvidia/gpus");
    List<String> uuids =
        names(gpus, _ -> true).stream()
            .sorted()
            .flatMap(name -> uuid(gpus.resolve(name).resolve("information")).stream())
            .toList();
    return uuids.size() == files ? uuids : ranks(files);
  }

  private static Optional<String> uuid(Path information) {
    try {
      Matcher found = NVIDIA_UUID.matcher(Files.readString(information));
      return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private static List<String> ranks(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).toList();
  }

  /** Returns the numbers of AMD's GPUs: a node of its driver without a GPU is a processor. */
  private static List<String> amd(Path root) {
    if (!Files.exists(root.resolve("dev/kfd"))) {
      return List.of();
    }
    Path nodes = root.resolve("sys/class/kfd/kfd/topology/nodes");
    return ranks(names(nodes, name -> isGpu(nodes.resolve(name).resolve("gpu_id"))).size());
  }

  private static boolean isGpu(Path gpuId) {
    try {
      return !Files.readString(gpuId).strip().equals("0");
    } catch (IOException unreadable) {
      return false;
    }
  }

  private static List<String> names(Path directory, Predicate<String> wanted) {
    List<String> found = new ArrayList<>();
    try (Stream<Path> entries = Files.list(directory)) {
      entries.map(entry -> entry.getFileName().toString()).filter(wanted).forEach(found::add);
    } catch (IOException absent) {
      return List.of();
    }
    return found;
  }
}
