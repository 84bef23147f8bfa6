package dev.stint.apiserver.write;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The warnings that one request collects. A client gets them as {@code Warning} headers, whatever
 * the answer is, and kubectl prints them.
 *
 * <p>Each text counts once. As in Kubernetes, texts are truncated once all of them have more than
 * 4,096 characters, and the excess is dropped.
 */
public final class Warnings {
  private static final int MOST_CHARACTERS = 4096;
  private static final int MOST_CHARACTERS_OF_ONE = 256;

  private final Set<String> texts = new LinkedHashSet<>();

  public synchronized void add(Collection<String> more) {
    texts.addAll(more);
  }

  /** Returns the texts in the order in which they were added. */
  public synchronized List<String> texts() {
    return length(texts.stream()) <= MOST_CHARACTERS ? List.copyOf(texts) : cut();
  }

  private List<String> cut() {
    Set<String> kept = new LinkedHashSet<>();
    for (String text : texts) {
      String cut = text.substring(0, Math.min(text.length(), MOST_CHARACTERS_OF_ONE));
      if (length(Stream.concat(kept.stream(), Stream.of(cut))) > MOST_CHARACTERS) {
        break;
      }
      kept.add(cut);
    }
    return List.copyOf(kept);
  }

  private static int length(Stream<String> texts) {
    return texts.mapToInt(String::length).sum();
  }
}
