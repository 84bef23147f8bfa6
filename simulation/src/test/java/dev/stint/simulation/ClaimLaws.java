package dev.stint.simulation;

import dev.stint.embedded.share.JobClaim;
import dev.stint.embedded.share.MessageChannel;
import dev.stint.model.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * No two commands have one Job: a holder confirms a claim only if no other command has it that is
 * still connected, and that has not given it back. Looks at the messages alone.
 */
final class ClaimLaws {
  private final Map<String, Object> owners = new HashMap<>();
  private final Set<String> left = new HashSet<>();
  private @Nullable AssertionError broken;

  /** Throws the violation that was found, if there is one. */
  void hold() {
    if (broken != null) {
      throw broken;
    }
  }

  /** Returns the keys of the Jobs that commands have. */
  Set<String> keys() {
    return Set.copyOf(owners.keySet());
  }

  /** Records that a command has Jobs from now on. */
  void granted(Object owner, Set<String> keys) {
    for (String key : keys) {
      Object other = owners.putIfAbsent(key, owner);
      if (other != null && other != owner && broken == null) {
        broken = new AssertionError("two commands have one Job: " + key);
      }
    }
  }

  /** Returns the keys of the Jobs whose command has gone without a word. */
  Set<String> left() {
    return left;
  }

  /** Records that the connection of a command has ended. */
  void left(Object owner) {
    owners.forEach((key, other) -> {
      if (other == owner) {
        left.add(key);
      }
    });
    ended(owner);
  }

  /** Records that a command has no Jobs any more. */
  void ended(Object owner) {
    owners.values().removeIf(other -> other == owner);
  }

  static Set<String> keys(List<JobClaim> claims) {
    Set<String> keys = new HashSet<>();
    claims.forEach(claim -> keys.add(claim.key()));
    return keys;
  }

  /** Listens to the messages of one command and to what it is answered. */
  final class Ear implements MessageChannel {
    private final MessageChannel channel;
    private final Map<Long, Set<String>> asked = new HashMap<>();

    Ear(MessageChannel channel) {
      this.channel = channel;
    }

    /** Hears a message of the command. */
    void onMessage(ObjectNode message) {
      switch (Objects.requireNonNullElse(Json.text(message, "op"), "")) {
        case "claim" -> {
          Set<String> keys = new HashSet<>();
          message
              .path("jobs")
              .forEach(job ->
                  keys.add(
                      JobClaim.key(
                          job.path("namespace").stringValue(""),
                          job.path("name").stringValue(""))));
          asked.put(message.path("id").longValue(), keys);
        }
        case "release" -> ended(this);
        default -> {}
      }
    }

    @Override
    public void send(ObjectNode message) {
      Set<String> keys = asked.remove(message.path("id").longValue(-1));
      if (keys != null && !message.has("error")) {
        granted(this, keys);
      }
      channel.send(message);
    }

    @Override
    public boolean sendIfFits(ObjectNode message) {
      send(message);
      return true;
    }

    @Override
    public long unsentBytes() {
      return channel.unsentBytes();
    }

    @Override
    public void close() {
      channel.close();
    }
  }
}
