package dev.stint.embedded.share;

import dev.stint.model.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The process that holds a data directory, as it introduces itself.
 *
 * @param pid its process ID
 * @param command its command, such as {@code run} or {@code up}
 * @param runtime how it runs pods, such as {@code process}
 * @param encryption the digest of the configuration with which it encrypts objects; empty for none
 * @param limits the limits of all pods; null if it does not tell them
 * @param permissions the permissions with which its pods run
 */
public record HolderInfo(
    long pid,
    String command,
    String runtime,
    String encryption,
    @Nullable MachineLimits limits,
    PodPermissions permissions) {
  /** The version of the protocol. A client of another one cannot join. */
  static final int PROTOCOL = 1;

  /** Returns the command and its process in words. */
  @Override
  public String toString() {
    return "stint " + command + " (pid " + pid + ")";
  }

  ObjectNode toJson() {
    ObjectNode tree =
        Json.object()
            .put("protocol", PROTOCOL)
            .put("pid", pid)
            .put("command", command)
            .put("runtime", runtime)
            .put("encryption", encryption);
    // The name that earlier versions read, too.
    tree.set("terms", permissions.toJson());
    if (limits != null) {
      tree.set("limits", limits.toJson());
    }
    return tree;
  }

  static HolderInfo of(ObjectNode greeting) {
    Long pid = Json.longInteger(greeting, "pid");
    return new HolderInfo(
        pid == null ? 0 : pid,
        Wire.text(greeting, "command"),
        Wire.text(greeting, "runtime"),
        Wire.text(greeting, "encryption"),
        MachineLimits.of(Json.objectAt(greeting, "limits")),
        PodPermissions.of(Json.objectAt(greeting, "terms")));
  }
}
