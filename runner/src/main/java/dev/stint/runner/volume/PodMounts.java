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
import java.util.List;
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

  private static Mounted mounted(ContainerRun run, PodVolumes volumes, VolumeMount mount)
      throws IOException, VolumeFault {
    ObjectNode volume = volume(run.pod(), mount.volume());
    boolean made = !volume.has("hostPath");
    Path path =
        volumes.make(
            mount.volume(),
            VolumeContents.of(run.pod(), volume, run.inputs(), ResourceAmount.ofThisMachine()));
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
