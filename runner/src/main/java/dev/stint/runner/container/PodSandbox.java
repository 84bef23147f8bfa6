package dev.stint.runner.container;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.container.daemon.ContainerInspection;
import dev.stint.runner.container.daemon.ContainerLabels;
import dev.stint.runner.container.daemon.ContainerSpec;
import dev.stint.runner.container.daemon.Daemon;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.DaemonException.Reason;
import dev.stint.runner.env.ExpansionLimitException;
import dev.stint.runner.env.Variables;
import dev.stint.runner.env.VolumeFiles;
import dev.stint.runner.file.FileTrees;
import dev.stint.runner.file.MarkFile;
import dev.stint.runner.log.LogTree;
import dev.stint.runner.log.TerminationMessage;
import dev.stint.runner.network.HostsFile;
import dev.stint.runner.network.PodNames;
import dev.stint.runner.proc.BootId;
import dev.stint.runner.process.isolation.MachineCapabilities;
import dev.stint.runner.process.isolation.MachineMemory;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.RetryDelays;
import dev.stint.runner.spec.PodInputs;
import dev.stint.runner.spec.SecurityContext;
import dev.stint.runner.volume.FilesInVolumes;
import dev.stint.runner.volume.PodMounts;
import dev.stint.runner.volume.PodVolumes;
import dev.stint.runner.volume.VolumeFault;
import dev.stint.runner.volume.VolumeGroup;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one pod at the daemon and on disk. One task at a time, in order, as they come to
 * {@link #serial}. All methods are for such tasks only, unless they say otherwise.
 *
 * <p>Files, in {@code <podsDir>/<pod uid>/}: {@code .volumes/}; {@code .mounts/}; {@code
 * hosts.<boot>} has the names of other pods; {@code <container>.<attempt>.message} is a container's
 * termination message; {@code <container>.<attempt>.interrupted} exists if an attempt does not
 * count.
 */
final class PodSandbox {
  private static final Logger LOG = LoggerFactory.getLogger(PodSandbox.class);
  private static final String HOSTS = "hosts";
  private static final String MESSAGE = "message";
  private static final String INTERRUPTED = "interrupted";
  private static final Path DEFAULT_MESSAGE = Path.of(TerminationMessage.DEFAULT_PATH);

  /**
   * The pause container, which holds the pod's namespaces.
   *
   * @param address the pod's; null if it has none of its own
   */
  record Pause(String id, @Nullable String address) {}

  /** A container that has been created, now or before. */
  record Made(String id, ContainerInspection.State state) {}

  private final RuntimeContext shared;
  private final String uid;
  private final boolean leftover;
  private final SerialQueue serial;
  private final HandlerCommands commands;
  private final Set<ContainerAttempt> live = new LinkedHashSet<>();
  private final Set<String> known = new HashSet<>();
  private final Map<String, Integer> nextNumbers = new HashMap<>();
  private @Nullable List<Daemon.Listed> left;
  private int failures;

  private volatile boolean givenUp;

  /** The pause container. Volatile, since tasks that run commands in containers read it, too. */
  private volatile @Nullable Pause pause;

  /**
   * @param leftover true if an earlier life may have left something of the pod
   */
  PodSandbox(RuntimeContext shared, String uid, boolean leftover) {
    this.shared = shared;
    this.uid = LogTree.segment(uid);
    this.leftover = leftover;
    this.serial = new SerialQueue(shared.threads());
    this.commands = HandlerCommands.of(shared.daemon());
  }

  /** Returns the queue that runs all tasks of the pod. On any thread. */
  SerialQueue serial() {
    return serial;
  }

  /** Returns the commands of the pod's probes and hooks. On any thread. */
  HandlerCommands commands() {
    return commands;
  }

  /** Returns the pod's address; null if it has none of its own. On any thread. */
  @Nullable String address() {
    Pause now = pause;
    return now == null ? null : now.address();
  }

  void add(ContainerAttempt attempt) {
    live.add(attempt);
  }

  void remove(ContainerAttempt attempt) {
    live.remove(attempt);
  }

  /** Called when a container could not be ended, since the daemon is away. */
  void giveUp() {
    givenUp = true;
  }

  /** True if a container could not be ended, since the daemon is away. On any thread. */
  boolean isGivenUp() {
    return givenUp;
  }

  List<ContainerAttempt> live() {
    return List.copyOf(live);
  }

  /** Returns what the daemon knows of a container; null if it does not exist. */
  @Nullable ContainerInspection inspect(String idOrName) throws DaemonException {
    try {
      return shared.daemon().inspect(idOrName);
    } catch (DaemonException fault) {
      if (fault.reason() == Reason.MISSING) {
        return null;
      }
      throw fault;
    }
  }

  /**
   * Returns a container's attempts of an earlier life, the newest last; none once an attempt of
   * this life has entered.
   */
  List<Daemon.Listed> history(String container) throws DaemonException {
    if (!leftover || known.contains(container)) {
      return List.of();
    }
    List<Daemon.Listed> all = left;
    if (all == null) {
      all = listContainers();
      left = all;
    }
    return all.stream()
        .filter(each -> each.labels().container().equals(container))
        .sorted(Comparator.comparingInt(each -> each.labels().attempt()))
        .toList();
  }

  /** Records that what an earlier life left of a container is taken care of. */
  void markEntered(String container) {
    known.add(container);
  }

  /** Returns the end of the last attempt that counts; null if there is none. */
  @Nullable Exit lastExit(List<Daemon.Listed> attempts) throws DaemonException {
    for (Daemon.Listed each : attempts.reversed()) {
      if (each.state() == ContainerInspection.State.ENDED && !isInterrupted(each.labels())) {
        return shared.daemon().inspect(each.id()).exit(shared.now());
      }
    }
    return null;
  }

  int nextNumber(String container) {
    return nextNumbers.merge(container, 1, Integer::sum) - 1;
  }

  /** Records that a number was used by an earlier life. */
  void markUsed(String container, int number) {
    nextNumbers.put(container, number + 1);
  }

  /** Returns the pause container; creates it for the first caller. */
  Pause pauseContainer(ContainerRun run) throws DaemonException {
    Pause there = pause;
    if (there != null) {
      return there;
    }
    ContainerSpec creation =
        ContainerSpec.pauseContainer(
            run, ContainerLabels.ofPauseContainer(shared.dataDir(), uid, shared.bootId()));
    Made made = makePauseContainer(creation);
    if (made.state() != ContainerInspection.State.RUNNING) {
      shared.daemon().start(made.id());
    }
    String id = made.id();
    Pause fresh = new Pause(id, shared.daemon().inspect(id).address());
    pause = fresh;
    if (hasOwnHosts(run)) {
      shared.named().join(run.pod(), fresh.address(), this);
    }
    shared.watch().add(id, () -> serial.execute(() -> onPauseContainerEnd(id)));
    return fresh;
  }

  private Made makePauseContainer(ContainerSpec creation) throws DaemonException {
    try {
      return make(creation);
    } catch (DaemonException fault) {
      if (fault.reason() != Reason.MISSING) {
        throw fault;
      }
      shared.pauseImage().provide();
      return make(creation);
    }
  }

  /**
   * True if a container's process is gone although the daemon reports it as running. False also if
   * the daemon's processes are not visible here, as on another machine.
   */
  boolean hasLostProcess(ContainerInspection container) throws DaemonException {
    Pause there = pause;
    if (there == null || DaemonProcesses.isOf(container.pid(), container.id())) {
      return false;
    }
    ContainerInspection found = shared.daemon().inspect(there.id());
    return DaemonProcesses.isOf(found.pid(), found.id());
  }

  /**
   * Forgets the pause container, which was ended from outside; containers that start from now on
   * get a new one.
   */
  private void onPauseContainerEnd(String id) {
    Pause there = pause;
    if (there != null && there.id().equals(id)) {
      pause = null;
    }
    shared.watch().remove(id);
  }

  /** Creates a container. One of its name may exist already if an answer of the daemon was lost. */
  Made make(ContainerSpec creation) throws DaemonException {
    try {
      return new Made(shared.daemon().create(creation), ContainerInspection.State.CREATED);
    } catch (DaemonException fault) {
      if (fault.reason() != Reason.CONFLICT && !fault.text().contains("already in use")) {
        throw fault;
      }
      ContainerInspection there = shared.daemon().inspect(creation.name());
      return new Made(there.id(), there.state());
    }
  }

  /** Returns the mounts of a container: the pod's volumes and its own termination message. */
  List<PodMounts.Mounted> mounts(ContainerRun run, ContainerLabels labels, Variables variables)
      throws IOException, VolumeFault, ExpansionLimitException {
    createDirectory();
    PodVolumes volumes = volumes(group(run.pod()));
    List<PodMounts.Mounted> opened = PodMounts.of(run, volumes, shared.hostPaths(), variables);
    String name = labels.container() + "." + labels.attempt();
    List<PodMounts.Mounted> mounts = new ArrayList<>(pinned().pin(opened, name));
    Path target = TerminationMessage.path(run.container()).orElse(DEFAULT_MESSAGE);
    Path message = messageFile(labels);
    try {
      Files.createFile(message);
    } catch (FileAlreadyExistsException again) {
      LOG.debug("{} already exists", message);
    }
    Files.setAttribute(message, "unix:mode", 0666);
    mounts.add(new PodMounts.Mounted(message, target, false, true, null));
    if (hasOwnHosts(run) && !HostsFile.isMounted(run.container())) {
      mounts.add(new PodMounts.Mounted(hosts(run.pod()), HostsFile.PATH, false, true, null));
    }
    return mounts;
  }

  /** True if the pod finds others by their names, which the daemon does not know. */
  private static boolean hasOwnHosts(ContainerRun run) {
    return PodNames.hasName(run.pod())
        && !Boolean.TRUE.equals(Json.bool(run.pod().spec(), "hostNetwork"));
  }

  /** Returns the pod's hosts file, which all its containers share. */
  private Path hosts(KubeObject pod) throws IOException {
    Path file = hostsFile();
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        ? file
        : HostsFile.write(file, pod, shared.named().names());
  }

  /** Named after the boot: nothing is synced, so a loss of power may leave an empty file. */
  private Path hostsFile() {
    return dir().resolve(HOSTS + "." + BootId.tag(shared.bootId()));
  }

  /** Adds the pods to the hosts file that the pod finds by their names now. */
  void updateHosts() {
    try {
      // A version that named no boots may have started containers that still run.
      for (Path file : List.of(hostsFile(), dir().resolve(HOSTS))) {
        HostsFile.update(file, shared.named().names().hosts(uid));
      }
    } catch (IOException fault) {
      LOG.warn(
          "Cannot update the hosts file of pod {}; it cannot resolve pods that start later: {}",
          uid,
          fault.toString());
    }
  }

  /** Returns the files in the pod's volumes. */
  VolumeFiles files() {
    return new FilesInVolumes(_ -> dir().resolve(".volumes"));
  }

  /** Called once a container was started, or could not be: it keeps its mounts by itself. */
  void unpinMounts() throws IOException {
    pinned().unpin();
  }

  /**
   * Creates the pod's directory. Called before anything else is created, so that the next life
   * knows that there may be something.
   */
  void createDirectory() throws IOException {
    Files.createDirectories(
        dir(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  Path messageFile(ContainerLabels labels) {
    return file(labels, MESSAGE);
  }

  boolean isInterrupted(ContainerLabels labels) {
    return isInterrupted(shared.podsDir(), labels);
  }

  /** True if an attempt of any pod does not count. */
  static boolean isInterrupted(Path podsDir, ContainerLabels labels) {
    return Files.exists(
        podsDir
            .resolve(LogTree.segment(labels.podUid()))
            .resolve(fileName(labels.container(), labels.attempt(), INTERRUPTED)));
  }

  void markInterrupted(ContainerLabels labels) throws IOException {
    MarkFile.make(file(labels, INTERRUPTED), messageFile(labels));
  }

  /**
   * Removes the files of an attempt that is to begin. An interrupted one may have had its number:
   * only the daemon knows which numbers were used, and that container is removed.
   */
  void forgetFiles(String container, int number) throws IOException {
    Files.deleteIfExists(file(container, number, MESSAGE));
    Files.deleteIfExists(file(container, number, INTERRUPTED));
  }

  /** Ends the pause container if no other container runs; the next life starts it again. */
  void stopPauseContainer(CompletableFuture<@Nullable Void> done) {
    Pause there = pause;
    try {
      if (live.isEmpty() && there != null) {
        shared.daemon().kill(there.id(), "SIGKILL");
      }
    } catch (DaemonException fault) {
      LOG.debug(
          "Cannot stop the pause container of pod {}; it keeps running: {}", uid, fault.text());
    }
    done.complete(null);
  }

  /** Removes everything; tries again while the daemon is away. */
  void forget(CompletableFuture<@Nullable Void> done) {
    try {
      removeContainers();
      pinned().unpin();
      volumes(null).unmount();
      FileTrees.delete(dir());
      done.complete(null);
    } catch (DaemonException fault) {
      if (fault.reason() == Reason.AWAY && !shared.closed().getAsBoolean()) {
        failures++;
        shared.after(RetryDelays.REQUEST.delay(failures), () -> serial.execute(() -> forget(done)));
      } else {
        done.completeExceptionally(fault);
      }
    } catch (IOException fault) {
      done.completeExceptionally(fault);
    }
  }

  /**
   * Removes the containers. The pause container goes last, since the others need it to be removed.
   */
  private void removeContainers() throws DaemonException {
    if (Files.isDirectory(dir()) || leftover) {
      List<Daemon.Listed> all = new ArrayList<>(listContainers());
      all.sort(Comparator.comparing(each -> each.labels().isPauseContainer()));
      for (Daemon.Listed each : all) {
        shared.watch().remove(each.id());
        shared.daemon().remove(each.id());
      }
    }
    live().forEach(ContainerAttempt::onRemoved);
    pause = null;
  }

  private List<Daemon.Listed> listContainers() throws DaemonException {
    return shared.daemon().list(ContainerLabels.POD_UID, uid).stream()
        .filter(each -> each.labels().dataDir().equals(shared.dataDir()))
        .toList();
  }

  /** Writes the tokens of the pod, which are new, to its volumes. */
  void renewTokens(KubeObject pod, PodInputs inputs) throws IOException {
    try {
      PodMounts.renewTokens(pod, inputs, volumes(group(pod)));
    } catch (VolumeFault fault) {
      throw new IOException(fault.getMessage(), fault);
    }
  }

  /** Describes the pod's volume that exceeds its limit on disk. On any thread. */
  Optional<String> overuse(KubeObject pod) throws IOException {
    return volumes(null).overuse(pod);
  }

  private static @Nullable VolumeGroup group(KubeObject pod) {
    boolean root = MachineCapabilities.here().identity().isRoot();
    return VolumeGroup.of(SecurityContext.fsGroup(pod), root);
  }

  private PodVolumes volumes(@Nullable VolumeGroup group) {
    return new PodVolumes(dir().resolve(".volumes"), shared.bootId(), group, new MachineMemory());
  }

  private PinnedMounts pinned() {
    return new PinnedMounts(dir().resolve(".mounts"));
  }

  private Path dir() {
    return shared.podsDir().resolve(uid);
  }

  private Path file(ContainerLabels labels, String what) {
    return file(labels.container(), labels.attempt(), what);
  }

  private Path file(String container, int number, String what) {
    return dir().resolve(fileName(container, number, what));
  }

  private static String fileName(String container, int number, String what) {
    return container + "." + number + "." + what;
  }
}
