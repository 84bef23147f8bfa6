package dev.stint.cli.run;

import dev.stint.cli.flag.ByteSizeConverter;
import dev.stint.cli.flag.ShareConverter;
import dev.stint.cli.output.ShellQuoting;
import dev.stint.cli.output.UserException;
import dev.stint.jobs.DisplayText;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An Indexed Job with an index for each item of a list, and the config maps that hold the list
 * (decision 22). Each key holds a thousand lines, so that a pod reads few lines to find its own.
 *
 * @param job its document
 * @param lists the documents of its config maps
 */
record EachJob(ObjectNode job, List<ObjectNode> lists) {
  private static final int LINES_OF_KEY = 1000;

  /** The size of one map; a config map holds at most 1 MiB. */
  private static final int BYTES_OF_MAP = 900 << 10;

  /** The size of the whole list, since each pod gets all of it. */
  private static final int MOST_BYTES = 8 << 20;

  /** The longest item; a variable of the environment holds at most 128 KiB. */
  private static final int LONGEST_ITEM = 64 << 10;

  private static final int LONGEST_BASE = 40;
  private static final String VOLUME = "stint-items";
  private static final String PLACE = "/stint/items";
  private static final String ITEM = "\"$STINT_ITEM\"";

  /**
   * The options of the Job.
   *
   * @param name null to derive it from command and list
   * @param success the number of items that are enough; null for all
   * @param maxFailed the number of items that may fail; null for any number
   * @param workingDir null for the image's
   */
  record Settings(
      @Nullable String name,
      int retries,
      int parallel,
      @Nullable ShareConverter success,
      @Nullable ShareConverter maxFailed,
      String image,
      @Nullable Path workingDir) {}

  /**
   * Builds the documents.
   *
   * @throws UserException if the list is empty or too large
   */
  static EachJob of(List<String> items, List<String> command, Settings settings) {
    check(items);
    String digest = digest(items, command);
    String given = settings.name();
    String name = given == null ? name(command.getFirst(), digest) : given;
    // A list must not replace another one of the same name that a rerun still reads.
    List<ObjectNode> lists = lists(items, given == null ? name : name + "-" + shortDigest(digest));
    return new EachJob(job(items.size(), command, settings, name, digest, lists), lists);
  }

  private static void check(List<String> items) {
    if (items.isEmpty()) {
      throw new UserException("--each: the list has no lines");
    }
    long bytes = 0;
    for (String item : items) {
      int length = item.getBytes(StandardCharsets.UTF_8).length;
      bytes += length + 1;
      if (length > LONGEST_ITEM) {
        throw new UserException(
            "--each: a line has %d bytes, more than 64Ki; write it to a file and list the name of the file: %s"
                .formatted(length, DisplayText.cut(item, 30)));
      }
      if (item.indexOf('\0') >= 0) {
        throw new UserException("--each: the list contains a NUL character; it must be text");
      }
    }
    if (bytes > MOST_BYTES) {
      throw new UserException(
          "--each: the list has %s bytes, more than 8Mi; split it into several lists"
              .formatted(ByteSizeConverter.brief(bytes)));
    }
  }

  private static List<ObjectNode> lists(List<String> items, String name) {
    List<ObjectNode> maps = new ArrayList<>();
    int room = 0;
    for (int first = 0; first < items.size(); first += LINES_OF_KEY) {
      List<String> lines = items.subList(first, Math.min(items.size(), first + LINES_OF_KEY));
      String text = String.join("\n", lines) + "\n";
      int bytes = text.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > BYTES_OF_MAP) {
        throw new UserException(
            "--each: lines %d to %d have %s bytes in total, more than 900Ki; write long lines to files and list the names of the files"
                .formatted(first + 1, first + lines.size(), ByteSizeConverter.brief(bytes)));
      }
      if (bytes > room) {
        maps.add(map(name + "-items-" + maps.size()));
        room = BYTES_OF_MAP;
      }
      room -= bytes;
      maps.getLast().withObjectProperty("data").put("lines-" + first / LINES_OF_KEY, text);
    }
    return maps;
  }

  private static ObjectNode map(String name) {
    ObjectNode map = Json.object();
    map.put("apiVersion", Kind.CONFIG_MAP.apiVersion()).put("kind", Kind.CONFIG_MAP.kind());
    map.putObject("metadata").put("name", name).put("namespace", "default");
    return map;
  }

  private static ObjectNode job(
      int items,
      List<String> command,
      Settings settings,
      String name,
      String digest,
      List<ObjectNode> lists) {
    ObjectNode job = Json.object();
    job.put("apiVersion", Kind.JOB.apiVersion()).put("kind", Kind.JOB.kind());
    ObjectNode metadata = job.putObject("metadata");
    metadata.put("name", name).put("namespace", "default");
    metadata.putObject("annotations").put("stint.dev/each-sha256", digest);
    ObjectNode spec = job.putObject("spec");
    spec.put("completionMode", "Indexed")
        .put("completions", items)
        .put("parallelism", settings.parallel())
        .put("backoffLimitPerIndex", settings.retries());
    ShareConverter maxFailed = settings.maxFailed();
    if (maxFailed != null) {
      spec.put("maxFailedIndexes", Math.min(items, maxFailed.atMostOf(items)));
    }
    ShareConverter success = settings.success();
    if (success != null) {
      int enough = success.atLeastOf(items);
      if (enough < 1 || enough > items) {
        throw new UserException(
            "--success %s of %s is %d; it must be from 1 to the number of lines"
                .formatted(success, DisplayText.count(items, "line", "lines"), enough));
      }
      spec.putObject("successPolicy").putArray("rules").addObject().put("succeededCount", enough);
    }
    ObjectNode pod = spec.putObject("template").putObject("spec");
    pod.put("restartPolicy", "Never");
    container(pod.putArray("containers").addObject(), command, settings);
    volume(pod.putArray("volumes").addObject(), lists);
    return job;
  }

  private static void container(ObjectNode container, List<String> command, Settings settings) {
    container.put("name", "main").put("image", settings.image());
    container.putArray("command").add("/bin/sh").add("-c").add(script(command));
    if (settings.workingDir() != null) {
      container.put("workingDir", settings.workingDir().toString());
    }
    container
        .putArray("volumeMounts")
        .addObject()
        .put("name", VOLUME)
        .put("mountPath", PLACE)
        .put("readOnly", true);
  }

  private static void volume(ObjectNode volume, List<ObjectNode> lists) {
    ArrayNode sources = volume.put("name", VOLUME).putObject("projected").putArray("sources");
    lists.forEach(list ->
        sources
            .addObject()
            .putObject("configMap")
            .put("name", Json.text(list.get("metadata"), "name")));
  }

  /** Returns a script that finds the item of its index, and becomes the command. */
  static String script(List<String> command) {
    StringBuilder script = new StringBuilder();
    script.append("n=$JOB_COMPLETION_INDEX\n");
    script.append("STINT_ITEM=`sed -n \"$((n % 1000 + 1)){p;q;}\" ");
    script.append(PLACE).append("/lines-$((n / 1000))`\n");
    script.append("export STINT_ITEM\nexec");
    command.forEach(word -> script.append(' ').append(withItem(word)));
    return script.append('\n').toString();
  }

  /** Quotes a word of the command for the shell, with the item in place of {@code {}}. */
  private static String withItem(String word) {
    List<String> parts = new ArrayList<>();
    for (String part : word.split("\\{}", -1)) {
      parts.add(part.isEmpty() && !word.isEmpty() ? "" : literal(part));
    }
    return String.join(ITEM, parts);
  }

  /**
   * Escapes a text: Kubernetes reads {@code $(NAME)} as a variable, and {@code $$} as a {@code $}.
   */
  private static String literal(String text) {
    return ShellQuoting.quoted(text).replaceAll("\\$(?=[$(])", "\\$\\$");
  }

  private static String name(String program, String digest) {
    String file = program.substring(program.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    String plain = file.replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    String base = plain.substring(0, Math.min(plain.length(), LONGEST_BASE));
    return "each-" + (base.isEmpty() ? "" : base + "-") + shortDigest(digest);
  }

  private static String shortDigest(String digest) {
    return digest.substring(0, 8);
  }

  private static String digest(List<String> items, List<String> command) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      for (List<String> texts : List.of(command, items)) {
        for (String text : texts) {
          sha.update(text.getBytes(StandardCharsets.UTF_8));
          sha.update((byte) 0);
        }
        sha.update((byte) 1);
      }
      return HexFormat.of().formatHex(sha.digest());
    } catch (NoSuchAlgorithmException never) {
      throw new IllegalStateException("every JDK has SHA-256", never);
    }
  }
}
