package dev.stint.runner.container.daemon;

import dev.stint.model.Json;
import dev.stint.runner.runtime.ContainerRun;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A container's labels, which name its owner. They are the only record of an attempt once this
 * program has died.
 *
 * @param dataDir the data directory of the program that made it
 * @param podUid the uid of its pod
 * @param container empty for the pause container
 * @param attempt its number, from 0
 * @param restartCount the number of restarts of the container before
 * @param bootId the boot ID of the machine when it was made
 * @param stdout the length of the file of its output before it started
 * @param stderr likewise
 */
public record ContainerLabels(
    String dataDir,
    String podUid,
    String container,
    int attempt,
    int restartCount,
    String bootId,
    long stdout,
    long stderr) {
  private static final String PREFIX = "stint.dev/";
  public static final String DATA_DIR = PREFIX + "data-dir";
  public static final String POD_UID = PREFIX + "pod-uid";
  private static final String CONTAINER = PREFIX + "container";
  private static final String ATTEMPT = PREFIX + "attempt";
  private static final String RESTARTS = PREFIX + "restart-count";
  private static final String BOOT_ID = PREFIX + "boot-id";
  private static final String STDOUT = PREFIX + "stdout-offset";
  private static final String STDERR = PREFIX + "stderr-offset";

  /** Returns the labels of a pod's pause container. */
  public static ContainerLabels ofPauseContainer(String dataDir, String podUid, String bootId) {
    return new ContainerLabels(dataDir, podUid, "", 0, 0, bootId, 0, 0);
  }

  /** Reads the labels; returns null for a container that is not ours. */
  static @Nullable ContainerLabels read(@Nullable ObjectNode labels) {
    String dataDir = Json.text(labels, DATA_DIR);
    String podUid = Json.text(labels, POD_UID);
    if (dataDir == null || podUid == null) {
      return null;
    }
    String container = Json.text(labels, CONTAINER);
    String bootId = Json.text(labels, BOOT_ID);
    return new ContainerLabels(
        dataDir,
        podUid,
        container == null ? "" : container,
        (int) number(labels, ATTEMPT),
        (int) number(labels, RESTARTS),
        bootId == null ? "" : bootId,
        number(labels, STDOUT),
        number(labels, STDERR));
  }

  public boolean isPauseContainer() {
    return container.isEmpty();
  }

  /** Returns those of an earlier attempt of the container, of which only its number is known. */
  public ContainerLabels earlier(int by) {
    return new ContainerLabels(dataDir, podUid, container, attempt - by, 0, bootId, 0, 0);
  }

  /** Returns a name that no two attempts share, so that none can be created twice. */
  public String containerName() {
    return isPauseContainer()
        ? "stint-" + podUid
        : "stint-" + podUid + "-" + container + "-" + attempt;
  }

  /** Returns the labels as a map, with the pod's name for people. */
  Map<String, String> toMap(ContainerRun run) {
    Map<String, String> map = new TreeMap<>();
    map.put(PREFIX + "pod", run.pod().namespace() + "/" + run.pod().name());
    map.put(DATA_DIR, dataDir);
    map.put(POD_UID, podUid);
    map.put(BOOT_ID, bootId);
    if (!isPauseContainer()) {
      map.put(CONTAINER, container);
      map.put(ATTEMPT, String.valueOf(attempt));
      map.put(RESTARTS, String.valueOf(restartCount));
      map.put(STDOUT, String.valueOf(stdout));
      map.put(STDERR, String.valueOf(stderr));
    }
    return map;
  }

  private static long number(@Nullable ObjectNode labels, String name) {
    String text = Json.text(labels, name);
    return text == null || !text.matches("\\d{1,18}") ? 0 : Long.parseLong(text);
  }
}
