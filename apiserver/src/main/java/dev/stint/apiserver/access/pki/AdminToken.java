package dev.stint.apiserver.access.pki;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The admin's token in its file. A server reads the file again once it has changed, so that a new
 * token holds at once and the former one is refused. A token is valid for a year from its file's
 * time.
 */
public final class AdminToken implements Supplier<@Nullable String> {
  static final Duration LIFE = Duration.ofDays(365);

  /** The time before the end of its life in which a start replaces a token. */
  static final Duration RENEWED_BEFORE = Duration.ofDays(7);

  private static final int BYTES = 32;
  private static final String FILE = "admin.token";

  private final Path file;
  private final InstantSource clock;
  private volatile @Nullable Read last;

  private record Read(FileTime written, String text) {}

  /**
   * @param keys the directory of the keys
   */
  public AdminToken(Path keys, InstantSource clock) {
    this.file = keys.resolve(FILE);
    this.clock = clock;
  }

  /** Returns the valid token; null if it has expired, or there is none. */
  @Override
  public @Nullable String get() {
    try {
      FileTime written = Files.getLastModifiedTime(file);
      if (endsBefore(written, clock.instant())) {
        return null;
      }
      Read known = last;
      if (known == null || !known.written.equals(written)) {
        known = new Read(written, Files.readString(file).strip());
        last = known;
      }
      return known.text.isEmpty() ? null : known.text;
    } catch (IOException unreadable) {
      return null;
    }
  }

  /** True if a token of this time is not valid at another time. */
  static boolean endsBefore(FileTime written, Instant time) {
    return written.toInstant().plus(LIFE).isBefore(time);
  }

  /**
   * Returns a warning of a token that is about to expire; empty if it is not, or there is none.
   *
   * @param keys the directory of the keys
   */
  static Optional<String> warning(Path keys, Instant now) {
    try {
      FileTime written = Files.getLastModifiedTime(keys.resolve(FILE));
      return endsBefore(written, now.plus(RENEWED_BEFORE))
          ? Optional.of(
              "the admin's token is valid until %s; stint rotate admin-token replaces it"
                  .formatted(written.toInstant().plus(LIFE).truncatedTo(ChronoUnit.SECONDS)))
          : Optional.empty();
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  /** Returns a new token: 256 random bits. */
  static String random() {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /**
   * Replaces the token, in a kubeconfig too, whatever token that has: a call that was cut off may
   * have replaced the first one only.
   *
   * @param keys the directory of the keys
   * @param kubeconfig need not exist
   * @throws IOException if there is none, or it cannot be written
   */
  public static void rotate(Path keys, Path kubeconfig) throws IOException {
    Path file = keys.resolve(FILE);
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    String next = random();
    PrivateFiles.write(file, next + "\n");
    try {
      PrivateFiles.write(kubeconfig, KubeconfigFile.withToken(Files.readString(kubeconfig), next));
    } catch (NoSuchFileException neverServed) {
      return; // The next start writes it.
    }
  }
}
