package dev.stint.runner.process.isolation;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.env.ExpansionLimitException;
import dev.stint.runner.env.Variables;
import dev.stint.runner.file.Handle;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogStream;
import dev.stint.runner.log.TerminationMessage;
import dev.stint.runner.network.HostsFile;
import dev.stint.runner.network.PodNames;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.user.UserDatabase;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.spec.PodInputs;
import dev.stint.runner.spec.ResourceLimits;
import dev.stint.runner.spec.SecurityContext;
import dev.stint.runner.volume.HostPaths;
import dev.stint.runner.volume.PodMounts;
import dev.stint.runner.volume.PodVolumes;
import dev.stint.runner.volume.VolumeFault;
import dev.stint.runner.volume.VolumeGroup;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Prepares the isolation that containers ask for: volumes, users, limits. On the watcher's thread
 * unless said otherwise; containers without such fields skip it.
 */
public final class IsolationFactory {
  private static final Logger LOG = LoggerFactory.getLogger(IsolationFactory.class);

  /** No container can have such a name. */
  private static final String VOLUMES = ".volumes";

  /** The file that marks a pod that has, or had, control groups. */
  private static final String GROUPS = ".cgroups";

  private final MachineCapabilities machine;
  private final Path podsDir;
  private final String bootId;
  private final MaskedParts hidden;
  private final HostPaths hostPaths;
  private final PodNames names;
  private final boolean requireLimits;
  private final Set<String> warned = new HashSet<>();

  /**
   * Creates a factory.
   *
   * @param podsDir the directory that holds the directories of all pods
   * @param bootId the boot ID of the running machine
   * @param hidden what no container sees
   * @param names the pods that others find by their names
   * @param requireLimits true to start no container whose limits are not enforced
   */
  public IsolationFactory(
      MachineCapabilities machine,
      Path podsDir,
      String bootId,
      HostPaths hostPaths,
      MaskedParts hidden,
      PodNames names,
      boolean requireLimits) {
    this.machine = machine;
    this.podsDir = podsDir;
    this.bootId = bootId;
    this.hidden = hidden;
    this.hostPaths = hostPaths;
    this.names = names;
    this.requireLimits = requireLimits;
  }

  /** Returns the directory of a pod's volumes. */
  public static Path volumesDir(Path podsDir, String podUid) {
    return podsDir.resolve(podUid).resolve(VOLUMES);
  }

  /** Returns the directory of the volumes of an attempt's pod. */
  public Path volumesOf(AttemptDir attempt) {
    return attempt.podDir().resolve(VOLUMES);
  }

  /** True if a container needs an arrangement. */
  public static boolean isNeeded(
      KubeObject pod, ObjectNode container, MachineCapabilities machine) {
    SecurityContext security = SecurityContext.of(pod, container);
    return isNamespaceNeeded(pod, security, container, machine)
        || !ResourceLimits.of(container).isEmpty()
        || !new Setpriv(security).prefix("setpriv", machine.identity(), false).isEmpty();
  }

  /** True if a container needs a mount namespace. */
  private static boolean isNamespaceNeeded(
      KubeObject pod, SecurityContext security, ObjectNode container, MachineCapabilities machine) {
    ArrayNode mounts = Json.arrayAt(container, "volumeMounts");
    return (mounts != null && !mounts.isEmpty())
        || HostsFile.isNeeded(pod, container)
        || messagePath(container, machine).isPresent()
        || security.readOnlyRoot();
  }

  /**
   * Returns the path of a container's termination message. The default path exists only for a
   * container that relies on it, since it takes a namespace; and only if there can be one.
   */
  private static Optional<Path> messagePath(ObjectNode container, MachineCapabilities machine) {
    return TerminationMessage.countsOnDefault(container) && machine.whyNoMounts().isEmpty()
        ? Optional.of(Path.of(TerminationMessage.DEFAULT_PATH))
        : TerminationMessage.path(container);
  }

  /** Returns the arrangement of a container, to be closed once that has ended. */
  public ContainerIsolation arrange(ContainerRun run, AttemptDir dir, Command command)
      throws IOException, Command.NotStartable {
    List<PinnedMount> parts = new ArrayList<>();
    boolean complete = false;
    try {
      ContainerIsolation arrangement = arrange(run, dir, command, parts);
      complete = true;
      return arrangement;
    } finally {
      if (!complete) {
        parts.forEach(part -> part.handle().close());
      }
    }
  }

  private ContainerIsolation arrange(
      ContainerRun run, AttemptDir dir, Command command, List<PinnedMount> parts)
      throws IOException, Command.NotStartable {
    SecurityContext security = SecurityContext.of(run.pod(), run.container());
    boolean namespaced =
        hidden.isAnything() || isNamespaceNeeded(run.pod(), security, run.container(), machine);
    MountPlan plan = null;
    List<String> readOnly = List.of();
    if (namespaced) {
      plan = plan(run, dir, security, command.declared(), parts);
      if (security.readOnlyRoot()) {
        List<String> mountInfo = Files.readAllLines(Path.of("/proc/self/mountinfo"));
        readOnly = ReadOnlyRoot.lines(mountInfo, plan.mounts(), plan.root());
      }
    }
    return new ContainerIsolation(
        namespaced ? machine.unshare(hidden) : List.of(),
        plan,
        List.copyOf(parts),
        readOnly,
        groups(run, dir),
        hidden,
        new Setpriv(security).entry(machine, namespaced),
        isGuarded(security));
  }

  /** Returns the home directory of a container's user, if that is not this program's user. */
  public static Optional<String> home(
      KubeObject pod, ObjectNode container, MachineCapabilities machine) {
    SecurityContext security = SecurityContext.of(pod, container);
    Long user = security.user();
    return user != null && new Setpriv(security).isOtherUser(machine.identity())
        ? Optional.of(UserDatabase.home(user))
        : Optional.empty();
  }

  /**
   * Returns the context of a container's commands. Those of another user start in the root
   * directory, as on a cluster: this program's own may be closed to them.
   */
  public static Command.Context context(
      Command.Context shared, ContainerRun run, MachineCapabilities machine) {
    return home(run.pod(), run.container(), machine).isPresent() ? shared.in(Path.of("/")) : shared;
  }

  /**
   * Creates the logs of another user, who can open /dev/stderr as a file, but does not own it: the
   * owner of a file may lease it, and no log could be cut meanwhile. Nobody else reaches them.
   */
  public void shareLogs(ContainerRun run, LogFiles logs) throws IOException {
    SecurityContext security = SecurityContext.of(run.pod(), run.container());
    Long user = security.user();
    if (user != null && new Setpriv(security).isOtherUser(machine.identity())) {
      for (LogStream stream : LogStream.values()) {
        Path file = logs.path(stream);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
          Files.createFile(file);
        }
        try (Handle log = Handle.regularFile(file, StandardOpenOption.WRITE)) {
          log.setOwner(Math.toIntExact(machine.identity().user()));
          log.setPermissions(0666);
        }
      }
    }
  }

  /** True if an attempt, which has ended, was killed for lack of memory. */
  public boolean wasOutOfMemory(ContainerRun run, AttemptDir dir) {
    return ResourceLimits.of(run.container()).memory() != null
        && cgroups().wasOutOfMemory(run.pod().uid(), groupName(run, dir));
  }

  /**
   * Removes the system resources of an attempt.
   *
   * @return true if they are gone
   */
  public boolean remove(ContainerRun run, AttemptDir dir) {
    return ResourceLimits.of(run.container()).isEmpty()
        || cgroups().remove(run.pod().uid(), groupName(run, dir));
  }

  /**
   * Removes the system resources of a pod, so that its directory can be deleted.
   *
   * @return true if they are gone
   */
  public boolean remove(String podUid) throws IOException {
    volumes(podUid, null).unmount();
    return !Files.exists(groupsMark(podUid)) || cgroups().remove(podUid);
  }

  /** Describes the pod's volume that exceeds its limit on disk. */
  public Optional<String> overuse(KubeObject pod) throws IOException {
    return volumes(pod.uid(), null).overuse(pod);
  }

  /** True if volumes of a container are to be filled before {@link #arrange}. */
  public boolean needsFiles(ContainerRun run) {
    return PodMounts.needsFiles(run, volumesOf(run));
  }

  /** Fills the volumes of a container. May take long; on any thread, one at a time for a pod. */
  public void makeFiles(ContainerRun run) throws IOException, Command.NotStartable {
    try {
      PodMounts.makeFiles(run, volumesOf(run));
    } catch (VolumeFault fault) {
      throw new Command.NotYetStartable(fault.reason(), String.valueOf(fault.getMessage()));
    }
  }

  /** Writes the tokens of a pod, which are new, to its volumes. On any thread. */
  public void renewTokens(KubeObject pod, PodInputs inputs) throws IOException {
    try {
      PodMounts.renewTokens(pod, inputs, volumes(pod.uid(), SecurityContext.fsGroup(pod)));
    } catch (VolumeFault fault) {
      throw new IOException(fault.getMessage(), fault);
    }
  }

  private PodVolumes volumesOf(ContainerRun run) {
    return volumes(run.pod().uid(), SecurityContext.fsGroup(run.pod()));
  }

  private MountPlan plan(
      ContainerRun run,
      AttemptDir dir,
      SecurityContext security,
      Variables variables,
      List<PinnedMount> parts)
      throws IOException, Command.NotStartable {
    List<BindMount> mounts = new ArrayList<>();
    Path staging = dir.path().resolve("views");
    try {
      for (PodMounts.Mounted mount : PodMounts.of(run, volumesOf(run), hostPaths, variables)) {
        mounts.add(bindMount(mount, staging, parts));
      }
    } catch (VolumeFault fault) {
      throw new Command.NotYetStartable(fault.reason(), String.valueOf(fault.getMessage()));
    } catch (ExpansionLimitException fault) {
      throw new Command.NotStartable(String.valueOf(fault.getMessage()));
    }
    Optional<Path> message = messagePath(run.container(), machine);
    if (message.isPresent()) {
      mounts.add(new BindMount(messageFile(dir), message.get(), false, true));
    }
    if (HostsFile.isNeeded(run.pod(), run.container())) {
      Path hosts = HostsFile.writeShared(hostsFile(dir), run.pod(), names);
      mounts.add(new BindMount(hosts, HostsFile.PATH, false, true));
    }
    Files.createDirectories(staging);
    MountPlan plan = MountPlan.of(mounts, security.readOnlyRoot(), staging, HostFileSystem.MACHINE);
    if (isGuarded(security)) {
      TrustedPaths.check(mounts);
      TrustedPaths.check(plan.mounts());
    }
    return plan;
  }

  /** True if root arranges a container for another user. */
  private boolean isGuarded(SecurityContext security) {
    return machine.identity().isRoot() && new Setpriv(security).isOtherUser(machine.identity());
  }

  private static BindMount bindMount(
      PodMounts.Mounted mount, Path staging, List<PinnedMount> parts) {
    Handle handle = mount.handle();
    Path source = mount.source();
    if (handle != null) {
      source = staging.resolve("part" + parts.size());
      parts.add(new PinnedMount(mount.source(), source, handle));
    }
    return new BindMount(source, mount.target(), mount.readOnly(), mount.made(), mount.seen());
  }

  private static Path hostsFile(AttemptDir dir) {
    return dir.path().resolve("hosts");
  }

  /** Adds the pods to the hosts file of an attempt that its own pod finds by their names now. */
  public void updateHosts(String podUid, AttemptDir dir) throws IOException {
    HostsFile.update(hostsFile(dir), names.hosts(podUid));
  }

  private static Path messageFile(AttemptDir dir) throws IOException {
    Path file = dir.messageFile();
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException again) {
      return file;
    }
    Files.setAttribute(file, "unix:mode", 0666);
    return file;
  }

  /**
   * @param fsGroup a group that files can be given to; others are refused
   */
  private PodVolumes volumes(String podUid, @Nullable Long fsGroup) {
    VolumeGroup group = VolumeGroup.of(fsGroup, true);
    return new PodVolumes(volumesDir(podsDir, podUid), bootId, group, new MachineMemory());
  }

  /**
   * Makes the control groups. Unless limits are required, a container runs even if they cannot be
   * enforced; that is reported once.
   */
  private List<Path> groups(ContainerRun run, AttemptDir dir)
      throws IOException, Command.NotStartable {
    ResourceLimits limits = ResourceLimits.of(run.container());
    if (limits.isEmpty()) {
      return List.of();
    }
    for (String unmet : cgroups().unmet(limits)) {
      warnOnce("Limits of " + unmet + " are not enforced: there is no writable control group");
    }
    Files.writeString(groupsMark(run.pod().uid()), "");
    Cgroups.Made made = cgroups().make(run.pod().uid(), groupName(run, dir), limits);
    if (requireLimits && !made.faults().isEmpty()) {
      throw new Command.NotStartable("cannot enforce the " + made.faults().getFirst());
    }
    made.faults().forEach(fault -> warnOnce("A limit is not enforced: " + fault));
    return made.members();
  }

  private void warnOnce(String what) {
    if (warned.add(what)) {
      LOG.warn(what);
    }
  }

  private static String groupName(ContainerRun run, AttemptDir dir) {
    return run.name() + "." + dir.number();
  }

  private Path groupsMark(String podUid) {
    return podsDir.resolve(podUid).resolve(GROUPS);
  }

  private static Cgroups cgroups() {
    return Cgroups.here();
  }
}
