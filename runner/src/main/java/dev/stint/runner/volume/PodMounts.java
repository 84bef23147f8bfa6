package dev.stint.runner.volume;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.env.ExpansionLimitException;
import dev.stint.runner.env.Variables;
import dev.stint.runner.file.Handle;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.spec.PodInputs;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.runner.token.PodTokens;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
   * @param handle the directory or file, if pods can put something else at its path; else null
   */
  public record Mounted(
      Path source, Path target, boolean readOnly, boolean made, @Nullable Handle handle)
      implements AutoCloseable {
    /** Returns a path at which this program sees it. */
    public Path seen() {
      return handle == null ? source : handle.path();
    }

    @Override
    public void close() {
      if (handle != null) {
        handle.close();
      }
    }
  }

  private PodMounts() {}

  /**
   * Returns the mounts of a container, in its order. Makes the volumes that do not exist yet.
   *
   * @param variables the container's declared variables, for {@code subPathExpr}
   * @return to be closed once they are mounted
   */
  public static List<Mounted> of(
      ContainerRun run, PodVolumes volumes, HostPaths hostPaths, Variables variables)
      throws IOException, VolumeFault, ExpansionLimitException {
    List<Mounted> mounts = new ArrayList<>();
    boolean complete = false;
    try {
      for (VolumeMount mount : VolumeMount.of(run.container(), variables)) {
        mounts.add(mounted(run, volumes, hostPaths, mount));
      }
      complete = true;
      return mounts;
    } finally {
      if (!complete) {
        mounts.forEach(Mounted::close);
      }
    }
  }

  /** True if a container mounts a volume of files that is not made yet. */
  public static boolean needsFiles(ContainerRun run, PodVolumes volumes) {
    return !missing(run, volumes).isEmpty();
  }

  /** Makes the volumes of files that a container mounts. This may take long. */
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
    PodTokens tokens = run.inputs().tokens();
    if (tokens.isEmpty()) {
      return volumes.make(name, VolumeContents.of(run.pod(), volume, run.inputs(), machine));
    }
    synchronized (tokens) {
      return volumes.make(name, VolumeContents.of(run.pod(), volume, run.inputs(), machine));
    }
  }

  /**
   * Writes the tokens of a pod, which are new, to the volumes that are made, and the certificate of
   * the API's authority beside them, which may be new since the pod began.
   */
  public static void renewTokens(KubeObject pod, PodInputs inputs, PodVolumes volumes)
      throws IOException, VolumeFault {
    synchronized (inputs.tokens()) {
      ArrayNode all = Json.arrayAt(pod.spec(), "volumes");
      for (int i = 0; all != null && i < all.size(); i++) {
        if (all.get(i) instanceof ObjectNode volume) {
          volumes.replace(
              String.valueOf(Json.text(volume, "name")),
              VolumeContents.credentials(pod, volume, inputs));
        }
      }
    }
  }

  private static Mounted mounted(
      ContainerRun run, PodVolumes volumes, HostPaths hostPaths, VolumeMount mount)
      throws IOException, VolumeFault {
    ObjectNode volume = volume(run.pod(), mount.volume());
    ObjectNode host = Json.objectAt(volume, "hostPath");
    if (host != null) {
      try (Handle whole = hostPaths.open(mount.volume(), HostPaths.Source.of(host))) {
        Path location = whole.location();
        return mount.subPath().isEmpty() && !hostPaths.mayBeReplaced(location)
            ? new Mounted(location, mount.path(), mount.readOnly(), false, null)
            : part(whole, mount, mount.readOnly(), false);
      }
    }
    ObjectNode claim = Json.objectAt(volume, "persistentVolumeClaim");
    if (claim != null) {
      return claimed(run.pod().namespace(), claim, hostPaths.claims(), mount);
    }
    Path path = make(run, volumes, mount.volume(), volume);
    boolean readOnly = mount.readOnly() || !volume.has("emptyDir");
    if (mount.subPath().isEmpty()) {
      return new Mounted(path, mount.path(), readOnly, true, null);
    }
    try (Handle whole = Handle.open(path)) {
      return part(whole, mount, readOnly, true);
    }
  }

  private static Mounted claimed(
      String namespace, ObjectNode claim, ClaimDirs claims, VolumeMount mount)
      throws IOException, VolumeFault {
    String name = String.valueOf(Json.text(claim, "claimName"));
    boolean readOnly = mount.readOnly() || Boolean.TRUE.equals(Json.bool(claim, "readOnly"));
    boolean ours = claims.isOurs(namespace, name);
    try (Handle whole = claims.open(namespace, name)) {
      return mount.subPath().isEmpty() && ours
          ? new Mounted(whole.location(), mount.path(), readOnly, true, null)
          : part(whole, mount, readOnly, ours);
    }
  }

  private static Mounted part(Handle whole, VolumeMount mount, boolean readOnly, boolean made)
      throws IOException, VolumeFault {
    Handle part = mount.subPath().isEmpty() ? whole.copy() : SubPath.open(whole, mount);
    try {
      return new Mounted(part.location(), mount.path(), readOnly, made, part);
    } catch (IOException | RuntimeException fault) {
      part.close();
      throw fault;
    }
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
