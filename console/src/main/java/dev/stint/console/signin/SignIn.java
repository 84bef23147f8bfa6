package dev.stint.console.signin;

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
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of the console. Links are single-use and end after a short time; using one announces
 * the next, so that only those who can read this program's output can sign in. Sessions end after a
 * time without use, and with the program.
 */
public final class SignIn {
  /** The time without use after which a session ends. */
  public static final Duration IDLE = Duration.ofHours(12);

  /** The largest number of sessions; beyond it, the least recently used one ends. */
  public static final int MOST_SESSIONS = 64;

  private static final int SECRET_BYTES = 32;

  private final InstantSource clock;
  private final RandomGenerator random;
  private final Consumer<String> announce;
  private final LinkedHashMap<String, Instant> sessions = new LinkedHashMap<>(16, 0.75f, true);
  private final Predicate<String> minted;
  private @Nullable String ticket;
  private Instant ticketEnds = Instant.MIN;

  /**
   * @param announce receives each new ticket, which signs in one browser
   */
  public SignIn(InstantSource clock, Consumer<String> announce) {
    this(clock, new SecureRandom(), announce, _ -> false);
  }

  public SignIn(InstantSource clock, RandomGenerator random, Consumer<String> announce) {
    this(clock, random, announce, _ -> false);
  }

  /**
   * @param minted redeems a ticket that was not announced: {@link SignInLinks} or {@link
   *     SignInToken}
   */
  public SignIn(
      InstantSource clock,
      RandomGenerator random,
      Consumer<String> announce,
      Predicate<String> minted) {
    this.clock = clock;
    this.random = random;
    this.announce = announce;
    this.minted = minted;
  }

  /** Makes a ticket and announces it; the previous one becomes invalid. */
  public void announceTicket() {
    String made;
    synchronized (this) {
      made = secret();
      ticket = made;
      ticketEnds = clock.instant().plus(SignInLinks.LIFE);
    }
    announce.accept(made);
  }

  /**
   * Redeems a ticket, which becomes invalid.
   *
   * @return the secret of a new session; empty if the ticket is invalid
   */
  public Optional<String> redeem(String given) {
    boolean announced;
    boolean valid;
    synchronized (this) {
      announced = ticket != null && isSame(ticket, given);
      valid = announced && !clock.instant().isAfter(ticketEnds);
      ticket = announced ? null : ticket;
    }
    if (announced) {
      announceTicket();
    }
    return valid || !announced && minted.test(given) ? Optional.of(begin()) : Optional.empty();
  }

  /** Begins a session, and returns its secret. */
  private synchronized String begin() {
    String session = secret();
    sessions.put(session, clock.instant());
    if (sessions.size() > MOST_SESSIONS) {
      sessions.pollFirstEntry();
    }
    return session;
  }

  /** True if the session exists; counts as using it. */
  public synchronized boolean isSignedIn(String session) {
    Instant now = clock.instant();
    Map.Entry<String, Instant> found =
        sessions.entrySet().stream()
            .filter(each -> isSame(each.getKey(), session))
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
  public synchronized void signOut(String session) {
    sessions.remove(session);
  }

  private String secret() {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Compares in constant time. */
  private static boolean isSame(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }
}
