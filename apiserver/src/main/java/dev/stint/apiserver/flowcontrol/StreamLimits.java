package dev.stint.apiserver.flowcontrol;

import dev.stint.apiserver.access.User;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits how many long-running requests of a sort one user has at once, so that nobody takes all of
 * them. Members of {@code system:masters} have no limit. Thread-safe.
 */
public final class StreamLimits {
  private static final int OF_KNOWN = 4;
  private static final int OF_UNKNOWN = 100;
  private static final int SESSIONS_OF_UNKNOWN = 16;
  private static final int LOGS = 12;

  /** A sort of long-running request. */
  public enum Sort {
    WATCH("watches"),
    LOG("logs that are being read"),
    SESSION("sessions in containers");

    private final String text;

    Sort(String text) {
      this.text = text;
    }
  }

  private record Key(String user, Sort sort) {}

  private final int streams;
  private final int sessions;
  private final Map<Key, Integer> open = new HashMap<>();

  /**
   * @param streams the number of watches and logs of all users together
   * @param sessions the number of sessions in containers of all users together
   */
  public StreamLimits(int streams, int sessions) {
    this.streams = streams;
    this.sessions = sessions;
  }

  /** Returns how many long-running requests of a sort a user may have. */
  public int limit(User user, Sort sort) {
    boolean known = user.groups().contains(User.AUTHENTICATED);
    int limit =
        switch (sort) {
          case WATCH -> streams / (known ? OF_KNOWN : OF_UNKNOWN);
          case LOG -> streams / (known ? OF_KNOWN : OF_UNKNOWN) / LOGS;
          case SESSION -> sessions / (known ? OF_KNOWN : SESSIONS_OF_UNKNOWN);
        };
    return Math.max(1, limit);
  }

  /**
   * Counts a request of a user. Throws {@code TOO_MANY_REQUESTS} if there are too many.
   *
   * @return ends the request; running it again has no effect
   */
  public Runnable open(User user, Sort sort) {
    if (user.isMaster()) {
      return () -> {};
    }
    Key key = new Key(user.name(), sort);
    synchronized (open) {
      int count = open.getOrDefault(key, 0);
      int limit = limit(user, sort);
      if (count >= limit) {
        throw refusal(
            "user \"%s\" has %d %s, which is the limit for one user; end some of them, or try again later"
                .formatted(user.name(), count, sort.text));
      }
      open.put(key, count + 1);
    }
    return new End(key);
  }

  private static ClusterException refusal(String why) {
    return new ClusterException(Reason.TOO_MANY_REQUESTS, why);
  }

  /** The end of a request, once. */
  private final class End implements Runnable {
    private final Key key;
    private boolean ended;

    End(Key key) {
      this.key = key;
    }

    @Override
    public void run() {
      synchronized (open) {
        if (!ended) {
          ended = true;
          open.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
        }
      }
    }
  }
}
