package dev.stint.runner.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the GPUs of this machine by the files of their drivers. */
public final class LocalDevices {
  /** The resource of NVIDIA's GPUs, as its device plugin for Kubernetes names it. */
  public static final String NVIDIA = "nvidia.com/gpu";

  /** The resource of AMD's GPUs, as its device plugin for Kubernetes names it. */
  public static final String AMD = "amd.com/gpu";

  private static final Pattern NVIDIA_FILE = Pattern.compile("nvidia\\d{1,4}");

  /** Matches the UUID in what the driver says about a GPU. */
  private static final Pattern NVIDIA_UUID = Pattern.compile("GPU UUID:\\s+(GPU-[0-9a-f-]{36})\\b");

  private static final Pattern RANK = Pattern.compile("\\d{1,4}");

  /** MIG names a part of a GPU. */
  private static final List<String> UUID_PREFIXES = List.of("GPU-", "MIG-");

  private LocalDevices() {}

  /**
   * Returns the GPUs of this machine; only those that the variables of the makers' libraries name,
   * if they are set in the environment of this program: the others are somebody else's. Their IDs
   * are those that these libraries understand.
   */
  public static Devices find() {
    return find(Path.of("/"), System.getenv());
  }

  static Devices find(Path root, Map<String, String> environment) {
    return Devices.NONE
        .with(NVIDIA, given(environment.get("CUDA_VISIBLE_DEVICES"), nvidia(root)))
        .with(AMD, given(environment.get("ROCR_VISIBLE_DEVICES"), amd(root)));
  }

  /**
   * Returns the GPUs that a variable names, as it names them. As for the libraries, a name that is
   * none ends the list.
   *
   * @param variable the variable's value; null if it is not set, so that all may be used
   * @param all all GPUs of the maker
   */
  private static List<String> given(@Nullable String variable, List<String> all) {
    return variable == null
        ? all
        : Stream.of(variable.split(","))
            .map(String::strip)
            .takeWhile(name -> isOne(name, all))
            .distinct()
            .toList();
  }

  /** True if a library may know a GPU by this name: its rank, its UUID, or the UUID's beginning. */
  private static boolean isOne(String name, List<String> all) {
    return RANK.matcher(name).matches()
        ? Integer.parseInt(name) < all.size()
        : !all.isEmpty() && UUID_PREFIXES.stream().anyMatch(name::startsWith);
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
