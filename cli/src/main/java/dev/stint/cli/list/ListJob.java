package dev.stint.cli.list;

import dev.stint.cli.flag.ShareConverter;
import dev.stint.cli.output.UserException;
import dev.stint.jobs.DisplayText;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.Names;
import dev.stint.model.Sha256;
import dev.stint.model.item.ItemSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An Indexed Job with an index for each item of a list, and the config maps that hold the list
 * (decision 55).
 *
 * @param job its document
 * @param lists the documents of its config maps
 * @param list how an earlier Job of the list is recognised
 * @param warnings what the author of the command should know
 */
public record ListJob(
    ObjectNode job, List<ObjectNode> lists, RequestedList list, List<String> warnings) {
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
   * @param name null to derive it from the command and the name of the list
   * @param retries null for none
   * @param parallel null for one per core
   * @param success the number of items that are enough; null for all
   * @param maxFailed the number of items that may fail; null for any number
   * @param workingDir null for the image's
   * @param source the file of the list; null if it has no name
   */
  public record Settings(
      @Nullable String name,
      @Nullable Integer retries,
      @Nullable Integer parallel,
      @Nullable ShareConverter success,
      @Nullable ShareConverter maxFailed,
      String image,
      @Nullable Path workingDir,
      @Nullable Path source) {
    /** Returns the members of the specification that have no flag. */
    private Set<String> left() {
      Set<String> left = new LinkedHashSet<>();
      addIfNull(left, "parallelism", parallel);
      addIfNull(left, "backoffLimitPerIndex", retries);
      addIfNull(left, "successPolicy", success);
      addIfNull(left, "maxFailedIndexes", maxFailed);
      return left;
    }

    private static void addIfNull(Set<String> left, String member, @Nullable Object flag) {
      if (flag == null) {
        left.add(member);
      }
    }
  }

  /**
   * Builds the documents.
   *
   * @throws UserException if the list is empty or too large
   */
  public static ListJob of(ItemList items, List<String> command, Settings settings) {
    ItemCommand words = ItemCommand.of(command, items);
    String digest = digest(items, command);
    String given = settings.name();
    String name = given == null ? name(command, items, settings, digest) : given;
    // A list must not replace another one of the same name that a rerun still reads.
    ListConfigMaps maps = new ListConfigMaps(items, name + "-" + shortDigest(digest) + "-items");
    RequestedList list =
        new RequestedList(
            items,
            digest,
            digest(words.words(), place(items, settings)),
            isPositional(words.words()),
            given != null,
            settings.left());
    ObjectNode job = job(items.size(), words.words(), settings, name, maps);
    list.annotate(job);
    return new ListJob(job, maps, list, words.warnings());
  }

  /** Returns what a command depends on beside its words and its list. */
  private static List<String> place(ItemList items, Settings settings) {
    List<String> place = new ArrayList<>(items.format().identity());
    place.add(settings.image());
    place.add(String.valueOf(settings.workingDir()));
    return place;
  }

  /** True if a command does something else for the same line at another position. */
  private static boolean isPositional(List<String> command) {
    return command.stream()
        .anyMatch(word -> word.contains("{#}") || word.contains(Names.COMPLETION_INDEX_ENV));
  }

  private static ObjectNode job(
      int items, List<String> command, Settings settings, String name, ListConfigMaps lists) {
    ObjectNode job = Json.object();
    job.put("apiVersion", Kind.JOB.apiVersion()).put("kind", Kind.JOB.kind());
    ObjectNode metadata = job.putObject("metadata");
    metadata.put("name", name).put("namespace", "default");
    ObjectNode spec = job.putObject("spec");
    spec.put("completionMode", "Indexed")
        .put("completions", items)
        .put("parallelism", Math.min(orElse(settings.parallel(), cores()), items))
        .put("backoffLimitPerIndex", orElse(settings.retries(), 0));
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

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  private static int orElse(@Nullable Integer value, int otherwise) {
    return value == null ? otherwise : value;
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

  /**
   * Returns the name of a Job: that of the same command with the same file, whatever the file
   * contains. A list without a name is known by its contents.
   */
  private static String name(
      List<String> command, ItemList items, Settings settings, String digest) {
    List<String> place = place(items, settings);
    place.add(settings.source() == null ? digest : settings.source().toString());
    String program = command.getFirst();
    String file = program.substring(program.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    String plain = file.replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    String base = plain.substring(0, Math.min(plain.length(), LONGEST_BASE));
    return RequestedList.NAME_PREFIX
        + (base.isEmpty() ? "" : base + "-")
        + shortDigest(digest(command, place));
  }

  private static String shortDigest(String digest) {
    return digest.substring(0, 8);
  }

  private static String digest(List<String> words, List<String> more) {
    MessageDigest sha = Sha256.begin();
    add(sha, words);
    add(sha, more);
    return HexFormat.of().formatHex(sha.digest());
  }

  private static String digest(ItemList items, List<String> command) {
    MessageDigest sha = Sha256.begin();
    add(sha, command);
    for (int i = 0; i < items.size(); i++) {
      sha.update(items.item(i));
      sha.update((byte) 0);
    }
    sha.update((byte) 1);
    add(sha, items.format().identity());
    return HexFormat.of().formatHex(sha.digest());
  }

  private static void add(MessageDigest sha, List<String> texts) {
    for (String text : texts) {
      sha.update(text.getBytes(StandardCharsets.UTF_8));
      sha.update((byte) 0);
    }
    sha.update((byte) 1);
  }
}
