package dev.stint.runner.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds the GPUs of this machine by the files of their drivers. */
public final class LocalDevices {
  /** The resource of NVIDIA's GPUs, as its device plugin for Kubernetes names it. */
  public static final String NVIDIA = "nvidia.com/gpu";

  /** The resource of AMD's GPUs, as its device plugin for Kubernetes names it. */
  public static final String AMD = "amd.com/gpu";

  private static final Pattern NVIDIA_FILE = Pattern.compile("nvidia(\\d{1,4})");

  private LocalDevices() {}

  /** Returns the GPUs of this machine; their IDs are the numbers that their drivers count with. */
  public static Devices find() {
    return find(Path.of("/"));
  }

  static Devices find(Path root) {
    return Devices.NONE.with(NVIDIA, nvidia(root)).with(AMD, amd(root));
  }

  private static List<String> nvidia(Path root) {
    return names(root.resolve("dev"), name -> NVIDIA_FILE.matcher(name).matches()).stream()
        .map(name -> name.substring("nvidia".length()))
        .sorted(Comparator.comparingInt(Integer::parseInt))
        .toList();
  }

  /** Returns the numbers of AMD's GPUs: a node of its driver without a GPU is a processor. */
  private static List<String> amd(Path root) {
    if (!Files.exists(root.resolve("dev/kfd"))) {
      return List.of();
    }
    Path nodes = root.resolve("sys/class/kfd/kfd/topology/nodes");
    int count = names(nodes, name -> isGpu(nodes.resolve(name).resolve("gpu_id"))).size();
    return IntStream.range(0, count).mapToObj(Integer::toString).toList();
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
