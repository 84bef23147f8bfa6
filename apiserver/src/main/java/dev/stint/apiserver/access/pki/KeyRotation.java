package dev.stint.apiserver.access.pki;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Replaces keys of an API: the next start creates each file that is removed here. */
public final class KeyRotation {
  private KeyRotation() {}

  /** A credential that can be replaced while no server runs. */
  public enum Subject {
    /** The certificates of the server and of the admin. */
    CERTIFICATES("server.pem", "admin.pem"),
    /** The authority; with it, all certificates. */
    AUTHORITY("server.pem", "admin.pem", "ca.crt", "ca.pem"),
    /** The key that signs the tokens of service accounts. */
    SERVICE_ACCOUNT_KEY("service-accounts.pem");

    @SuppressWarnings("ImmutableEnumChecker") // List.of cannot be changed.
    private final List<String> files;

    Subject(String... files) {
      this.files = List.of(files);
    }
  }

  /**
   * Removes what the next start is to make anew.
   *
   * @param keys the directory of the keys
   * @throws NoSuchFileException there are no keys yet
   */
  public static void remove(Path keys, Subject subject) throws IOException {
    if (!Files.isDirectory(keys)) {
      throw new NoSuchFileException(keys.toString());
    }
    for (String file : subject.files) {
      Files.deleteIfExists(keys.resolve(file));
    }
    PrivateFiles.sync(keys); // A loss of power must not bring a key back.
  }
}
