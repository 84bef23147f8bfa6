package dev.stint.jobs;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.item.Item;
import dev.stint.model.item.ItemPart;
import dev.stint.model.item.ItemSource;
import dev.stint.model.item.ItemText;
import dev.stint.model.item.ListParts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * The items that the indexes of a Job work on: lines of the list of {@code stint run --each}, or of
 * one that an annotation of the Job holds or names.
 */
public final class JobItems {
  /** Annotation on a Job: its items, one a line. */
  public static final String LINES = "stint.dev/items";

  /** Annotation on a Job: a config map of its namespace and a key of it, with one item a line. */
  public static final String CONFIG_MAP = "stint.dev/items-config-map";

  private static final int MOST_PARTS = 4;

  private final IntFunction<Optional<Item>> items;

  private JobItems(IntFunction<Optional<Item>> items) {
    this.items = items;
  }

  /** The config maps of a namespace. */
  @FunctionalInterface
  private interface Maps {
    /** Returns a config map; empty if there is none. */
    Optional<KubeObject> find(String name);
  }

  /**
   * Returns the items of a Job.
   *
   * @return empty if it has none, or they do not exist any more
   * @throws ClusterException if they cannot be read; reading an item throws it, too
   */
  public static Optional<JobItems> of(Cluster cluster, KubeObject job) {
    return of(job, name -> find(cluster, job.namespace(), name));
  }

  /** Returns the items of a Job for people; those that cannot be read are as if they were none. */
  public static Optional<JobItems> readable(Cluster cluster, KubeObject job) {
    return of(
        job,
        name -> {
          try {
            return find(cluster, job.namespace(), name);
          } catch (ClusterException refused) {
            return Optional.empty();
          }
        });
  }

  private static Optional<JobItems> of(KubeObject job, Maps maps) {
    String lines = job.annotation(LINES);
    if (lines != null) {
      return Optional.of(ofLines(lines));
    }
    String named = job.annotation(CONFIG_MAP);
    if (named != null) {
      return ofKey(maps, named);
    }
    return ItemSource.ofSpec(Json.objectAt(Json.objectAt(job.spec(), "template"), "spec"))
        .flatMap(list -> ofList(maps, list));
  }

  /** True if the indexes of a Job have items. */
  public static boolean isIn(KubeObject job) {
    return job.annotation(LINES) != null
        || job.annotation(CONFIG_MAP) != null
        || ItemSource.ofSpec(Json.objectAt(Json.objectAt(job.spec(), "template"), "spec"))
            .isPresent();
  }

  /**
   * Finds items by a part of their text, in any case, by index. Ends at the first index without an
   * item, as a Job may have far more indexes than its list has lines.
   *
   * @param completions the number of indexes
   * @param most the largest number that is returned
   */
  public SortedMap<Integer, String> search(String text, int completions, int most) {
    SortedMap<Integer, String> found = new TreeMap<>();
    String wanted = text.toLowerCase(Locale.ROOT);
    for (int index = 0; index < completions && found.size() < most; index++) {
      Optional<String> item = display(index);
      if (item.isEmpty()) {
        break;
      }
      if (item.get().toLowerCase(Locale.ROOT).contains(wanted)) {
        found.put(index, item.get());
      }
    }
    return found;
  }

  /** Returns the item of an index. */
  public Optional<Item> item(int index) {
    return items.apply(index);
  }

  /**
   * Returns an attempt with what its index works on, unless it tells that itself.
   *
   * @param items those of its Job; empty if there are none
   */
  public static ContainerAttemptView named(ContainerAttemptView attempt, Optional<JobItems> items) {
    Integer index = attempt.index();
    return index == null || attempt.item() != null
        ? attempt
        : attempt.withItem(items.flatMap(known -> known.display(index)).orElse(null));
  }

  /** Returns the item of an index for people. */
  public Optional<String> display(int index) {
    return item(index).map(item -> ItemText.display(item.line()));
  }

  private static JobItems ofLines(String text) {
    List<String> lines = text.lines().toList();
    return new JobItems(index ->
        index < lines.size()
            ? Optional.of(new Item(index, lines.get(index), null))
            : Optional.empty());
  }

  private static Optional<JobItems> ofKey(Maps maps, String named) {
    int slash = named.indexOf('/');
    String name = slash < 0 ? named : named.substring(0, slash);
    String key = slash < 0 ? "items" : named.substring(slash + 1);
    return maps.find(name)
        .map(map -> Json.text(map.tree().get("data"), key))
        .map(JobItems::ofLines);
  }

  private static Optional<JobItems> ofList(Maps maps, ItemSource list) {
    Optional<ListParts> index = maps.find(list.map(0)).flatMap(ListParts::read);
    Map<Integer, Optional<ItemPart>> parts =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Integer, Optional<ItemPart>> eldest) {
            return size() > MOST_PARTS;
          }
        };
    return index.map(starts ->
        new JobItems(at -> {
          int part = starts.partOf(at);
          return parts
              .computeIfAbsent(part, number -> part(maps, list, number))
              .flatMap(lines -> lines.item(at, at - starts.start(part)));
        }));
  }

  private static Optional<ItemPart> part(Maps maps, ItemSource list, int part) {
    return maps.find(list.map(part)).flatMap(map -> ItemPart.read(map, part));
  }

  private static Optional<KubeObject> find(Cluster cluster, String namespace, String name) {
    return Optional.ofNullable(
        ApiCalls.find(cluster, new ObjectRef(Kind.CONFIG_MAP, namespace, name)));
  }
}
