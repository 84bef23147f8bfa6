package dev.stint.runner.volume;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.env.ExpansionLimitException;
import dev.stint.runner.env.Variables;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.spec.ResourceAmount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the mounts of a container: the parts of its pod's volumes, and their paths. Waits for the
 * disk.
 */
public final class PodMounts {
  /**
   * A mounted directory or file.
   *
   * @param source a directory or file of this machine
   * @param target its path in the container
   * @param made true if it is the runner's own, not the machine's
   */
  public record Mounted(Path source, Path target, boolean readOnly, boolean made) {}

  private PodMounts() {}

  /**
   * Returns the mounts of a container, in its order. Makes the volumes that do not exist yet.
   *
   * @param variables the container's declared variables, for {@code subPathExpr}
   */
  public static List<Mounted> of(ContainerRun run, PodVolumes volumes, Variables variables)
      throws IOException, VolumeFault, ExpansionLimitException {
    List<Mounted> mounts = new ArrayList<>();
    for (VolumeMount mount : VolumeMount.of(run.container(), variables)) {
      mounts.add(mounted(run, volumes, mount));
    }
    return mounts;
  }

  /** True if a container mounts a volume of files that is not made yet. */
  public static boolean needsFiles(ContainerRun run, PodVolumes volumes) {
    return !missing(run, volumes).isEmpty();
  }

  /** Makes the volumes of files that a container mounts. That may take long. */
  public static void makeFiles(ContainerRun run, PodVolumes volumes)
      throws IOException, VolumeFault {
    for (String name : missing(run, volumes)) {
      make(run, volumes, name, volume(run.pod(), name));
    }
  }

  private static List<String> missing(ContainerRun run, PodVolumes volumes) {
    List<String> missing = new ArrayList<>();
    ArrayNode mounts = Json.arrayAt(run.container(), "volumeMounts");
    ArrayNode all = Json.arrayAt(run.pod().spec(), "volumes");
    if (mounts != null && all != null) {
      Set<String> mounted = new HashSet<>();
      mounts.forEach(mount -> mounted.add(String.valueOf(Json.text(mount, "name"))));
      for (JsonNode each : all) {
        String name = String.valueOf(Json.text(each, "name"));
        if (mounted.contains(name)
            && each instanceof ObjectNode volume
            && VolumeContents.isOfFiles(volume)
            && volumes.made(name).isEmpty()) {
          missing.add(name);
        }
      }
    }
    return missing;
  }

  private static Path make(ContainerRun run, PodVolumes volumes, String name, ObjectNode volume)
      throws IOException, VolumeFault {
    Optional<Path> made = volumes.made(name);
    boolean files = VolumeContents.isOfFiles(volume);
    if (files && made.isPresent()) {
      return made.get();
    }
    ResourceAmount machine = ResourceAmount.ofThisMachine();
    if (files) {
      VolumeContents.check(run.pod(), run.inputs(), machine);
    }
    return volumes.make(name, VolumeContents.of(run.pod(), volume, run.inputs(), machine));
  }

  private static Mounted mounted(ContainerRun run, PodVolumes volumes, VolumeMount mount)
      throws IOException, VolumeFault {
    ObjectNode volume = volume(run.pod(), mount.volume());
    boolean made = !volume.has("hostPath");
    Path path = make(run, volumes, mount.volume(), volume);
    boolean readOnly = mount.readOnly() || (made && !volume.has("emptyDir"));
    return new Mounted(PodVolumes.part(path, mount), mount.path(), readOnly, made);
  }

  private static ObjectNode volume(KubeObject pod, String name) throws VolumeFault {
    ArrayNode volumes = Json.arrayAt(pod.spec(), "volumes");
    if (volumes != null) {
      for (JsonNode each : volumes) {
        if (each instanceof ObjectNode volume && name.equals(Json.text(each, "name"))) {
          return volume;
        }
      }
    }
    throw VolumeFault.ofMount("the pod has no volume \"" + name + "\"");
  }
}
