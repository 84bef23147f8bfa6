package dev.stint.console;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Who has come in by a link. Whoever can read what this program prints may use a link, once; then
 * the next one is printed. A session ends when it was not used for long, and with the program.
 */
final class SignIn {
  /** A session that is not used for that long ends. */
  static final Duration IDLE = Duration.ofHours(12);

  /** The session that was not used for longest makes room. */
  static final int MOST_SESSIONS = 64;

  private static final int SECRET_BYTES = 32;

  private final InstantSource clock;
  private final RandomGenerator random;
  private final Consumer<String> announce;
  private final LinkedHashMap<String, Instant> sessions = new LinkedHashMap<>(16, 0.75f, true);
  private @Nullable String ticket;

  /**
   * @param announce tells the user of a new ticket, which lets one browser in
   */
  SignIn(InstantSource clock, Consumer<String> announce) {
    this(clock, new SecureRandom(), announce);
  }

  SignIn(InstantSource clock, RandomGenerator random, Consumer<String> announce) {
    this.clock = clock;
    this.random = random;
    this.announce = announce;
  }

  /** Makes a ticket and tells the user; the one before is no longer valid. */
  void offer() {
    String made;
    synchronized (this) {
      made = secret();
      ticket = made;
    }
    announce.accept(made);
  }

  /**
   * Takes a ticket, which is used up then.
   *
   * @return the secret of a new session; empty where the ticket is not valid, or not any more
   */
  Optional<String> enter(String given) {
    String session;
    synchronized (this) {
      if (ticket == null || !same(ticket, given)) {
        return Optional.empty();
      }
      ticket = null;
      session = secret();
      sessions.put(session, clock.instant());
      if (sessions.size() > MOST_SESSIONS) {
        sessions.pollFirstEntry();
      }
    }
    offer();
    return Optional.of(session);
  }

  /** Whether a session is known, which counts as using it. */
  synchronized boolean knows(String session) {
    Instant now = clock.instant();
    Map.Entry<String, Instant> found =
        sessions.entrySet().stream()
            .filter(each -> same(each.getKey(), session))
            .findAny()
            .orElse(null);
    if (found == null) {
      return false;
    }
    if (Duration.between(found.getValue(), now).compareTo(IDLE) > 0) {
      sessions.remove(found.getKey());
      return false;
    }
    sessions.put(found.getKey(), now);
    return true;
  }

  /** Ends a session. */
  synchronized void leave(String session) {
    sessions.remove(session);
  }

  private String secret() {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Takes as long whether they differ early or late. */
  private static boolean same(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }
}
