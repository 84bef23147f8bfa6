package dev.stint.runner.log;

import dev.stint.model.Json;
import dev.stint.runner.file.Handle;
import dev.stint.runner.runtime.Exit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The termination message of a container: a file that it writes, or the end of its log ("Determine
 * the Reason for Pod Failure" of the Kubernetes documentation).
 */
public final class TerminationMessage {
  private static final Logger LOG = LoggerFactory.getLogger(TerminationMessage.class);

  /** The variable that holds the path of the file that the container may write. */
  public static final String VARIABLE = "STINT_TERMINATION_LOG";

  public static final String DEFAULT_PATH = "/dev/termination-log";
  private static final int LONGEST_FILE = 4096;
  private static final int LONGEST_LOG = 2048;
  private static final int MOST_LINES = 80;

  private TerminationMessage() {}

  /** Returns the path that a container names; empty if it uses the default. */
  public static Optional<Path> path(ObjectNode container) {
    String path = Json.text(container, "terminationMessagePath");
    return path == null || path.isEmpty() || path.equals(DEFAULT_PATH)
        ? Optional.empty()
        : Optional.of(Path.of("/").resolve(path).normalize());
  }

  /**
   * True if a container with the default path names it in its command, arguments or variables, so
   * that it will write there.
   */
  public static boolean countsOnDefault(ObjectNode container) {
    return path(container).isEmpty()
        && (isNamed(container, "command", JsonNode::asString)
            || isNamed(container, "args", JsonNode::asString)
            || isNamed(container, "env", each -> each.path("value").asString("")));
  }

  private static boolean isNamed(
      ObjectNode container, String member, Function<JsonNode, String> word) {
    ArrayNode words = Json.arrayAt(container, member);
    if (words != null) {
      for (JsonNode each : words) {
        if (word.apply(each).contains(DEFAULT_PATH)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns the outcome with the container's termination message.
   *
   * @param file the file that the container may have written
   */
  public static Exit added(Exit exit, ObjectNode container, Path file, LogFiles logs) {
    if (!exit.message().isEmpty()) {
      return exit;
    }
    try {
      String message = file(file);
      boolean fallBack =
          "FallbackToLogsOnError".equals(Json.text(container, "terminationMessagePolicy"));
      if (message.isEmpty() && fallBack && exit.code() != 0) {
        message = log(logs);
      }
      return message.isEmpty() ? exit : exit.withMessage(message);
    } catch (IOException fault) {
      LOG.warn("Cannot read the termination message {}: {}", file, fault.toString());
      return exit;
    }
  }

  private static String file(Path file) throws IOException {
    // Most containers write none, and an exception would report a missing file below.
    // A link or a pipe that the container has put there is no message either.
    if (file.toFile().length() == 0 || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return "";
    }
    try (FileChannel channel = Handle.channel(file, StandardOpenOption.READ);
        InputStream in = Channels.newInputStream(channel)) {
      return new String(in.readNBytes(LONGEST_FILE), StandardCharsets.UTF_8);
    }
  }

  private static String log(LogFiles files) throws IOException {
    return new String(LogEnd.read(files, MOST_LINES, LONGEST_LOG), StandardCharsets.UTF_8);
  }
}
