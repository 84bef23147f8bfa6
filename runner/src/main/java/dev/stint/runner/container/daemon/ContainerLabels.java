package dev.stint.runner.container.daemon;

import dev.stint.model.Json;
import dev.stint.runner.runtime.ContainerRun;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a container's labels say: whose it is. They are all that is known of an attempt once this
 * program has died.
 *
 * @param dataDir the data directory of the program that made it
 * @param podUid the pod that it is of
 * @param container empty for the one that holds the pod's namespaces
 * @param attempt its number, from 0
 * @param restartCount how often the container was restarted before
 * @param bootId of the machine as it was made
 * @param stdout how long the file of what it prints was before it
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

  /** Those of the container that holds a pod's namespaces. */
  public static ContainerLabels holder(String dataDir, String podUid, String bootId) {
    return new ContainerLabels(dataDir, podUid, "", 0, 0, bootId, 0, 0);
  }

  /** Reads them; null for a container that is not ours. */
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

  public boolean isHolder() {
    return container.isEmpty();
  }

  /** A name that no two attempts share, so that none can be made twice. */
  String containerName() {
    return isHolder() ? "stint-" + podUid : "stint-" + podUid + "-" + container + "-" + attempt;
  }

  /** The labels, and for people the pod's name. */
  Map<String, String> toMap(ContainerRun run) {
    Map<String, String> map = new TreeMap<>();
    map.put(PREFIX + "pod", run.pod().namespace() + "/" + run.pod().name());
    map.put(DATA_DIR, dataDir);
    map.put(POD_UID, podUid);
    map.put(BOOT_ID, bootId);
    if (!isHolder()) {
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
