package dev.stint.console.signin;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A token in a file that somebody else keeps, such as a mounted secret. Whoever knows it may sign
 * in, as often as they like, while the file holds it. The file is read at each use, so it may come,
 * change and go at any time.
 */
public final class SignInToken implements Predicate<String> {
  /** The fewest characters of a token, so that it cannot be guessed: 128 bits in hexadecimal. */
  public static final int FEWEST_CHARACTERS = 32;

  /** The most bytes that are read of the file: a token is much shorter. */
  static final int MOST_BYTES = 4 << 10;

  private final Path file;

  /**
   * @param file may be missing: then nobody can sign in with it
   */
  public SignInToken(Path file) {
    this.file = file;
  }

  /** True if the file holds this token. */
  @Override
  public boolean test(String token) {
    try {
      String ours = read();
      return isLongEnough(ours)
          && MessageDigest.isEqual(
              ours.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** Returns why nobody can sign in with the token now; null if one can. */
  public @Nullable String obstacle() {
    if (!Files.exists(file)) {
      return "does not exist";
    }
    try {
      return isLongEnough(read())
          ? null
          : "holds a token of less than %d characters".formatted(FEWEST_CHARACTERS);
    } catch (IOException unreadable) {
      return "cannot be read";
    }
  }

  private String read() throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8).strip();
    }
  }

  private static boolean isLongEnough(String token) {
    return token.length() >= FEWEST_CHARACTERS;
  }
}
