package dev.stint.kube;

import io.fabric8.kubernetes.client.OAuthTokenProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A token in a file, which may be replaced at any time: the file is read for each request. */
record TokenFile(Path file) implements OAuthTokenProvider {
  @Override
  public String getToken() {
    try {
      return Files.readString(file).strip();
    } catch (IOException absent) {
      return ""; // The API will report that it needs one.
    }
  }
}
