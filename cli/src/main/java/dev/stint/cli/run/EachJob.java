package dev.stint.cli.run;

import dev.stint.cli.flag.ShareConverter;
import dev.stint.cli.list.ItemCommand;
import dev.stint.cli.list.ItemList;
import dev.stint.cli.list.ListConfigMaps;
import dev.stint.cli.output.UserException;
import dev.stint.jobs.DisplayText;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.item.ItemSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An Indexed Job with an index for each item of a list, and the config maps that hold the list
 * (decision 55).
 *
 * @param job its document
 * @param lists the documents of its config maps
 * @param warnings what the author of the command should know
 */
record EachJob(ObjectNode job, List<ObjectNode> lists, List<String> warnings) {
  /**
   * The number of parts that a volume holds. A longer list runs where Stint runs the pods; a
   * kubelet would copy all of it for each pod.
   */
  private static final int MOST_MOUNTED = 10;

  /** Above this number of completions, Kubernetes limits the failed indexes. */
  private static final int MANY_ITEMS = 100_000;

  private static final int MOST_FAILED_OF_MANY = 10_000;

  private static final int LONGEST_BASE = 40;
  private static final String VOLUME = "stint-items";

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
  static EachJob of(ItemList items, List<String> command, Settings settings) {
    String digest = digest(items, command);
    String given = settings.name();
    String name = given == null ? name(command.getFirst(), digest) : given;
    // A list must not replace another one of the same name that a rerun still reads.
    String lists = given == null ? name : name + "-" + shortDigest(digest);
    ListConfigMaps maps = new ListConfigMaps(items, lists + "-items");
    ItemCommand words = ItemCommand.of(command, items);
    return new EachJob(
        job(items.size(), words.words(), settings, name, digest, maps), maps, words.warnings());
  }

  private static ObjectNode job(
      int items,
      List<String> command,
      Settings settings,
      String name,
      String digest,
      ListConfigMaps lists) {
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
    } else if (items > MANY_ITEMS) {
      spec.put("maxFailedIndexes", MOST_FAILED_OF_MANY);
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
    ArrayNode words = container.putArray("command");
    ItemSource.PREFIX.forEach(words::add);
    command.forEach(word -> words.add(literal(word)));
    if (settings.workingDir() != null) {
      container.put("workingDir", settings.workingDir().toString());
    }
    container
        .putArray("volumeMounts")
        .addObject()
        .put("name", VOLUME)
        .put("mountPath", ItemSource.DIRECTORY)
        .put("readOnly", true);
  }

  private static void volume(ObjectNode volume, ListConfigMaps lists) {
    ArrayNode sources = volume.put("name", VOLUME).putObject("projected").putArray("sources");
    int mounted = lists.size() <= MOST_MOUNTED ? lists.size() : 1;
    for (int i = 0; i < mounted; i++) {
      sources.addObject().putObject("configMap").put("name", lists.name(i));
    }
  }

  /**
   * Escapes a text: Kubernetes reads {@code $(NAME)} as a variable, and {@code $$} as a {@code $}.
   */
  private static String literal(String text) {
    return text.replaceAll("\\$(?=[$(])", "\\$\\$");
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

  private static String digest(ItemList items, List<String> command) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      add(sha, command);
      for (int i = 0; i < items.size(); i++) {
        sha.update(items.item(i));
        sha.update((byte) 0);
      }
      sha.update((byte) 1);
      add(sha, items.format().identity());
      return HexFormat.of().formatHex(sha.digest());
    } catch (NoSuchAlgorithmException never) {
      throw new IllegalStateException("every JDK has SHA-256", never);
    }
  }

  private static void add(MessageDigest sha, List<String> texts) {
    for (String text : texts) {
      sha.update(text.getBytes(StandardCharsets.UTF_8));
      sha.update((byte) 0);
    }
    sha.update((byte) 1);
  }
}
