package dev.stint.cli.location;

import dev.stint.apiserver.encryption.EncryptedEngine;
import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flag that says how objects are encrypted on disk. */
public final class EncryptionOptions {
  private static final String FLAG = "--encryption-provider-config";

  @Option(
      names = FLAG,
      paramLabel = "FILE",
      description =
          "EncryptionConfiguration that says which objects are encrypted on disk, and how "
              + "(default: none).")
  @Nullable Path file;

  /**
   * Checks that there is a file.
   *
   * @throws UserException if the flag is missing
   */
  public void checkGiven() {
    if (file == null) {
      throw new UserException(FLAG + " is required; name the file that stint up gets");
    }
  }

  @Nullable Path file() {
    return file;
  }

  /**
   * Reads the file.
   *
   * @throws UserException if it cannot be read, or is invalid
   */
  public EncryptionConfiguration configuration() {
    Path named = file;
    if (named == null) {
      return EncryptionConfiguration.NONE;
    }
    try {
      return EncryptionConfiguration.parse(Files.readAllBytes(named));
    } catch (IllegalArgumentException invalid) {
      throw new UserException(FLAG + " " + named + ": " + invalid.getMessage());
    } catch (NoSuchFileException missing) {
      throw new UserException(FLAG + " " + named + ": no such file");
    } catch (IOException fault) {
      throw new UserException(FLAG + " " + named + " cannot be read: " + fault.getMessage());
    }
  }

  /** Says which objects could not be decrypted, at most the first of them. */
  public static void report(EncryptedEngine engine, Console console) {
    List<String> unreadable = engine.unreadable();
    if (!unreadable.isEmpty()) {
      int others = unreadable.size() - 1;
      console.say(
          unreadable.getFirst()
              + (others == 0
                  ? ""
                  : "; %d other object%s cannot be decrypted either"
                      .formatted(others, others == 1 ? "" : "s")));
    }
  }
}
