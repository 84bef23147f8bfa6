package dev.stint.model.job.after;

import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The Jobs of the same namespace after which a Job starts (decision 93).
 *
 * @param predecessors at least one, each Job once
 */
public record After(List<Predecessor> predecessors) {
  /** The annotation, such as {@code extract, load=Finished, shards=index}. */
  public static final String ANNOTATION = "stint.dev/after";

  private static final int MOST = 100;

  private static final Pattern PREDECESSOR =
      Pattern.compile(
          "([a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?)(?:\\s*=\\s*(Complete|Finished|index))?");

  /** The state of a predecessor that is waited for. */
  public enum Until {
    COMPLETE("Complete"),
    /** Complete or Failed. */
    FINISHED("Finished"),
    /** Each index starts once the same index of the predecessor is complete. */
    INDEX("index");

    private final String text;

    Until(String text) {
      this.text = text;
    }

    private static Until named(@Nullable String text) {
      return Arrays.stream(values())
          .filter(each -> each.text.equals(text))
          .findFirst()
          .orElse(COMPLETE);
    }

    /** Returns the word in the annotation. */
    @Override
    public String toString() {
      return text;
    }
  }

  /** A Job that is waited for. */
  public record Predecessor(String name, Until until) {}

  public After {
    predecessors = List.copyOf(predecessors);
  }

  /** Returns the Jobs that a Job starts after; null if there are none, or the annotation is bad. */
  public static @Nullable After of(KubeObject job) {
    return readable(job.annotation(ANNOTATION));
  }

  /** Returns what a text says; null if there is none, or it is bad. */
  static @Nullable After readable(@Nullable String text) {
    try {
      return text == null ? null : parse(text);
    } catch (IllegalArgumentException fault) {
      return null;
    }
  }

  /**
   * Reads the value of the annotation.
   *
   * @throws IllegalArgumentException with a complaint that follows the annotation's name
   */
  public static After parse(String text) {
    List<Predecessor> found = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String part : text.split(",", -1)) {
      Matcher parts = PREDECESSOR.matcher(part.strip());
      if (!parts.matches()) {
        throw new IllegalArgumentException(
            "needs names of Jobs, each alone or with =Finished or =index, such as \"extract,"
                + " load=Finished\"");
      }
      if (!names.add(parts.group(1))) {
        throw new IllegalArgumentException("names Job " + parts.group(1) + " twice");
      }
      found.add(new Predecessor(parts.group(1), Until.named(parts.group(2))));
    }
    if (found.size() > MOST) {
      throw new IllegalArgumentException("names more than " + MOST + " Jobs");
    }
    return new After(found);
  }

  /** Returns the names of the predecessors whose end is waited for. */
  Set<String> wholeJobs() {
    return predecessors.stream()
        .filter(each -> each.until() != Until.INDEX)
        .map(Predecessor::name)
        .collect(Collectors.toSet());
  }

  /** True if indexes start one by one. */
  public boolean isByIndex() {
    return predecessors.stream().anyMatch(each -> each.until() == Until.INDEX);
  }
}
