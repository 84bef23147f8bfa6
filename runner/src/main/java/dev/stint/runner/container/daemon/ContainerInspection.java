package dev.stint.runner.container.daemon;

import dev.stint.model.Json;
import dev.stint.runner.runtime.Exit;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The daemon's data of a container.
 *
 * @param labels null for a container that is not ours
 * @param image the ID of its image
 * @param startedAt null if it never started
 * @param finishedAt null if it has not ended
 * @param address in the network; null for none, or none of its own
 * @param stopSignal the signal that asks it to end
 * @param pid the ID of its first process, as the daemon knows it; 0 if there is none
 */
public record ContainerInspection(
    String id,
    @Nullable ContainerLabels labels,
    String image,
    State state,
    int exitCode,
    boolean outOfMemory,
    @Nullable Instant startedAt,
    @Nullable Instant finishedAt,
    @Nullable String address,
    String stopSignal,
    long pid) {
  /** The state of a container, as far as it matters here. */
  public enum State {
    /** It was never started. */
    CREATED,
    RUNNING,
    ENDED
  }

  /** Reads the daemon's JSON. */
  static ContainerInspection of(ObjectNode json) {
    ObjectNode state = Json.objectAt(json, "State");
    ObjectNode config = Json.objectAt(json, "Config");
    Integer code = Json.integer(state, "ExitCode");
    String signal = Json.text(config, "StopSignal");
    return new ContainerInspection(
        String.valueOf(Json.text(json, "Id")),
        ContainerLabels.read(Json.objectAt(config, "Labels")),
        String.valueOf(Json.text(json, "Image")),
        state(String.valueOf(Json.text(state, "Status"))),
        code == null ? 0 : code,
        Boolean.TRUE.equals(Json.bool(state, "OOMKilled")),
        time(Json.text(state, "StartedAt")),
        time(Json.text(state, "FinishedAt")),
        address(Json.objectAt(json, "NetworkSettings")),
        signal == null || signal.isEmpty() ? LocalImage.TERM : signal,
        state == null ? 0 : state.path("Pid").asLong(0));
  }

  static State state(String status) {
    return switch (status) {
      case "created", "configured", "initialized" -> State.CREATED;
      case "exited", "dead", "stopped", "removing" -> State.ENDED;
      default -> State.RUNNING;
    };
  }

  /**
   * Returns the container's end, as a kubelet words it.
   *
   * @param now the time of the end if the daemon does not know it
   */
  public Exit exit(Instant now) {
    Instant finished = finishedAt == null ? now : finishedAt;
    Instant started = startedAt == null ? finished : startedAt;
    Exit exit = Exit.of(exitCode, null, started, finished);
    return outOfMemory && exitCode != 0 ? exit.withReason(Exit.OOM_KILLED) : exit;
  }

  private static @Nullable Instant time(@Nullable String text) {
    try {
      Instant time = text == null ? Instant.EPOCH : OffsetDateTime.parse(text).toInstant();
      // The year 1 stands for never.
      return time.isAfter(Instant.EPOCH) ? time : null;
    } catch (DateTimeException none) {
      return null;
    }
  }

  private static @Nullable String address(@Nullable ObjectNode settings) {
    String plain = Json.text(settings, "IPAddress");
    if (plain != null && !plain.isEmpty()) {
      return plain;
    }
    ObjectNode networks = Json.objectAt(settings, "Networks");
    if (networks != null) {
      for (JsonNode network : networks.values()) {
        String address = Json.text(network, "IPAddress");
        if (address != null && !address.isEmpty()) {
          return address;
        }
      }
    }
    return null;
  }
}
