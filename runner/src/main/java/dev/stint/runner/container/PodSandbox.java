package dev.stint.runner.container;

import dev.stint.model.KubeObject;
import dev.stint.runner.container.daemon.ContainerInspection;
import dev.stint.runner.container.daemon.ContainerLabels;
import dev.stint.runner.container.daemon.ContainerSpec;
import dev.stint.runner.container.daemon.Daemon;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.DaemonException.Kind;
import dev.stint.runner.log.LogTree;
import dev.stint.runner.log.TerminationMessage;
import dev.stint.runner.process.isolation.MachineMemory;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.RetryDelays;
import dev.stint.runner.spec.SecurityContext;
import dev.stint.runner.volume.PodMounts;
import dev.stint.runner.volume.PodVolumes;
import dev.stint.runner.volume.VolumeFault;
import java.io.IOException;
import java.nio.file.DirectoryStream;
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
 * What one pod has of the daemon and of the disk. One task at a time, in order, as they come to
 * {@link #serial}; all but that is for such tasks only, unless it says otherwise.
 *
 * <p>Files, in {@code <podsDir>/<pod uid>/}: {@code .volumes/}; {@code
 * <container>.<attempt>.message} is what a container says of its end; {@code
 * <container>.<attempt>.interrupted} is there if an attempt does not count.
 */
final class PodSandbox {
  private static final Logger LOG = LoggerFactory.getLogger(PodSandbox.class);
  private static final Path DEFAULT_MESSAGE = Path.of(TerminationMessage.DEFAULT_PATH);

  /**
   * The container that holds the namespaces.
   *
   * @param address the pod's; null where it has none of its own
   */
  record Holding(String id, @Nullable String address) {}

  /** A container that has been made, now or before. */
  record Made(String id, ContainerInspection.State state) {}

  private final RuntimeContext shared;
  private final String uid;
  private final boolean leftover;
  private final SerialQueue serial;
  private final Set<ContainerAttempt> live = new LinkedHashSet<>();
  private final Set<String> known = new HashSet<>();
  private final Map<String, Integer> nextNumbers = new HashMap<>();
  private @Nullable List<Daemon.Listed> left;
  private int failures;

  /** Also read by those who call commands in containers. */
  private volatile @Nullable Holding holding;

  /**
   * @param leftover whether an earlier life may have left something of it
   */
  PodSandbox(RuntimeContext shared, String uid, boolean leftover) {
    this.shared = shared;
    this.uid = LogTree.segment(uid);
    this.leftover = leftover;
    this.serial = new SerialQueue(shared.threads());
  }

  /** Where everything here happens. On any thread. */
  SerialQueue serial() {
    return serial;
  }

  /** The pod's address; null where it has none of its own. On any thread. */
  @Nullable String address() {
    Holding now = holding;
    return now == null ? null : now.address();
  }

  void add(ContainerAttempt attempt) {
    live.add(attempt);
  }

  void remove(ContainerAttempt attempt) {
    live.remove(attempt);
  }

  List<ContainerAttempt> live() {
    return List.copyOf(live);
  }

  /** What an earlier life left of a container, the newest attempt last; asked for once. */
  List<Daemon.Listed> history(String container) throws DaemonException {
    if (!leftover || known.contains(container)) {
      return List.of();
    }
    List<Daemon.Listed> all = left;
    if (all == null) {
      all = ours();
      left = all;
    }
    known.add(container);
    return all.stream()
        .filter(each -> each.labels().container().equals(container))
        .sorted(Comparator.comparingInt(each -> each.labels().attempt()))
        .toList();
  }

  /** How the last attempt that counts ended; null where none did. */
  @Nullable Exit lastExit(List<Daemon.Listed> attempts) throws DaemonException {
    for (Daemon.Listed each : attempts.reversed()) {
      if (each.state() == ContainerInspection.State.ENDED && !isSetAside(each.labels())) {
        return shared.daemon().inspect(each.id()).exit(shared.now());
      }
    }
    return null;
  }

  int nextNumber(String container) {
    return nextNumbers.merge(container, 1, Integer::sum) - 1;
  }

  void used(String container, int number) {
    nextNumbers.put(container, number + 1);
  }

  /** The container with the namespaces, which is made for whoever comes first. */
  Holding holding(ContainerRun run) throws DaemonException {
    Holding there = holding;
    if (there != null) {
      return there;
    }
    ContainerSpec creation =
        ContainerSpec.holder(run, ContainerLabels.holder(shared.dataDir(), uid, shared.bootId()));
    Made made = makeHolder(creation);
    if (made.state() != ContainerInspection.State.RUNNING) {
      shared.daemon().start(made.id());
    }
    String id = made.id();
    Holding fresh = new Holding(id, shared.daemon().inspect(id).address());
    holding = fresh;
    shared.watch().add(id, () -> serial.execute(() -> holderEnded(id)));
    return fresh;
  }

  private Made makeHolder(ContainerSpec creation) throws DaemonException {
    try {
      return make(creation);
    } catch (DaemonException fault) {
      if (fault.kind() != Kind.MISSING) {
        throw fault;
      }
      shared.holderImage().provide();
      return make(creation);
    }
  }

  /**
   * Whether a container's process is gone although the daemon says that it runs. False also where
   * the daemon's processes can't be seen from here, as those of another machine.
   */
  boolean seemsGone(ContainerInspection found) throws DaemonException {
    Holding there = holding;
    if (there == null || DaemonProcesses.isOf(found.pid(), found.id())) {
      return false;
    }
    ContainerInspection holder = shared.daemon().inspect(there.id());
    return DaemonProcesses.isOf(holder.pid(), holder.id());
  }

  /** Somebody else ended it; containers that start from now on get a new one. */
  private void holderEnded(String id) {
    Holding there = holding;
    if (there != null && there.id().equals(id)) {
      holding = null;
    }
    shared.watch().remove(id);
  }

  /** Makes a container; one of its name may be there, if an answer of the daemon was lost. */
  Made make(ContainerSpec creation) throws DaemonException {
    try {
      return new Made(shared.daemon().create(creation), ContainerInspection.State.CREATED);
    } catch (DaemonException fault) {
      if (fault.kind() != Kind.CONFLICT && !fault.text().contains("already in use")) {
        throw fault;
      }
      ContainerInspection there = shared.daemon().inspect(creation.name());
      return new Made(there.id(), there.state());
    }
  }

  /** What a container sees of the pod's volumes and of its own message. */
  List<PodMounts.Mounted> mounts(
      ContainerRun run, ContainerLabels labels, Map<String, String> variables)
      throws IOException, VolumeFault {
    createDirectory();
    PodVolumes volumes = volumes(SecurityContext.fsGroup(run.pod()));
    List<PodMounts.Mounted> mounts = new ArrayList<>(PodMounts.of(run, volumes, variables));
    Path target = TerminationMessage.path(run.container()).orElse(DEFAULT_MESSAGE);
    Path message = messageFile(labels);
    try {
      Files.createFile(message);
    } catch (FileAlreadyExistsException again) {
      LOG.debug("{} is there already", message);
    }
    Files.setAttribute(message, "unix:mode", 0666);
    mounts.add(new PodMounts.Mounted(message, target, false, true));
    return mounts;
  }

  /** Before anything is made, so that the next life knows that there may be something. */
  void createDirectory() throws IOException {
    Files.createDirectories(
        dir(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  Path messageFile(ContainerLabels labels) {
    return file(labels, "message");
  }

  boolean isSetAside(ContainerLabels labels) {
    return Files.exists(file(labels, "interrupted"));
  }

  void setAside(ContainerLabels labels) throws IOException {
    Files.writeString(file(labels, "interrupted"), "");
  }

  /** Leaves nothing running that nobody needs; the next life starts it again. */
  void rest(CompletableFuture<@Nullable Void> done) {
    Holding there = holding;
    try {
      if (live.isEmpty() && there != null) {
        shared.daemon().kill(there.id(), "SIGKILL");
      }
    } catch (DaemonException fault) {
      LOG.debug("the namespaces of pod {} stay: {}", uid, fault.text());
    }
    done.complete(null);
  }

  /** Removes everything; tries again while the daemon is away. */
  void forget(CompletableFuture<@Nullable Void> done) {
    try {
      removeContainers();
      volumes(null).unmount();
      delete(dir());
      done.complete(null);
    } catch (DaemonException fault) {
      if (fault.kind() == Kind.AWAY && !shared.closed().getAsBoolean()) {
        failures++;
        shared.after(RetryDelays.REQUEST.delay(failures), () -> serial.execute(() -> forget(done)));
      } else {
        done.completeExceptionally(fault);
      }
    } catch (IOException fault) {
      done.completeExceptionally(fault);
    }
  }

  /** The one with the namespaces goes last, as the others need it to be removed. */
  private void removeContainers() throws DaemonException {
    if (Files.isDirectory(dir()) || leftover) {
      List<Daemon.Listed> all = new ArrayList<>(ours());
      all.sort(Comparator.comparing(each -> each.labels().isHolder()));
      for (Daemon.Listed each : all) {
        shared.watch().remove(each.id());
        shared.daemon().remove(each.id());
      }
    }
    live().forEach(ContainerAttempt::removed);
    holding = null;
  }

  private List<Daemon.Listed> ours() throws DaemonException {
    return shared.daemon().list(ContainerLabels.POD_UID, uid).stream()
        .filter(each -> each.labels().dataDir().equals(shared.dataDir()))
        .toList();
  }

  /** What of the pod's volumes on disk is too large. On any thread. */
  Optional<String> overuse(KubeObject pod) throws IOException {
    return volumes(null).overuse(pod);
  }

  private PodVolumes volumes(@Nullable Long group) {
    return new PodVolumes(dir().resolve(".volumes"), group, new MachineMemory());
  }

  private Path dir() {
    return shared.podsDir().resolve(uid);
  }

  private Path file(ContainerLabels labels, String what) {
    return dir().resolve(labels.container() + "." + labels.attempt() + "." + what);
  }

  private static void delete(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
        for (Path entry : entries) {
          delete(entry);
        }
      }
    }
    Files.deleteIfExists(path);
  }
}
