package dev.stint.console.signin;

import dev.stint.model.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.function.Predicate;

/**
 * Sign-in links that another process makes, for a console over the same directory. A link is a file
 * with the hash of its ticket as its name; redeeming it removes the file. Only the owner of the
 * directory can make one.
 */
public final class SignInLinks implements Predicate<String> {
  /** The time for which a link is valid. */
  public static final Duration LIFE = Duration.ofMinutes(10);

  private static final int SECRET_BYTES = 32;

  private final Path directory;
  private final InstantSource clock;

  /**
   * @param data the data directory, which only its owner may read
   */
  public SignInLinks(Path data, InstantSource clock) {
    this.directory = data.resolve("sign-in");
    this.clock = clock;
  }

  /** Returns the path of a console's page with a ticket. */
  public static String path(String ticket) {
    return "/console/#sign-in=" + ticket;
  }

  /** Makes a link, and returns its path; removes those that have expired. */
  public String make() throws IOException {
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    removeExpired();
    byte[] bytes = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(bytes);
    String ticket = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    Files.writeString(directory.resolve(hash(ticket)), clock.instant().plus(LIFE).toString());
    return path(ticket);
  }

  /** Redeems a ticket: true once, and only while the link is valid. */
  @Override
  public boolean test(String ticket) {
    Path file = directory.resolve(hash(ticket));
    try {
      boolean valid = isValid(file);
      Files.delete(file); // Fails for all but one of those who try at the same time.
      return valid;
    } catch (NoSuchFileException unknown) {
      return false;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private boolean isValid(Path file) throws IOException {
    try {
      return !clock.instant().isAfter(Instant.parse(Files.readString(file)));
    } catch (java.time.format.DateTimeParseException halfWritten) {
      return false;
    }
  }

  private void removeExpired() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (!isValid(file)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static String hash(String ticket) {
    return Sha256.hex(ticket.getBytes(StandardCharsets.UTF_8));
  }
}
