package dev.stint.bench.kills;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A client's record of its writes to Jobs: acknowledged ones must be there, and those without an
 * answer may be. Thread-safe.
 */
final class JobLedger {
  /** The annotation that the client counts up. */
  static final String COUNT = "count";

  private final Map<String, Entry> entries = new TreeMap<>();
  private int acknowledged;

  /** The outcome of a write. */
  enum Answer {
    NEVER_SENT,
    NONE,
    DONE
  }

  private static final class Entry {
    private @Nullable String uid;
    private Answer deleted = Answer.NEVER_SENT;
    private int leastCount;
    private int mostCount;
  }

  private void count(Answer answer) {
    acknowledged += answer == Answer.DONE ? 1 : 0;
  }

  private Entry entry(String job) {
    return entries.computeIfAbsent(job, _ -> new Entry());
  }

  /**
   * @param uid null if there was no answer
   */
  synchronized void onCreate(String job, @Nullable String uid) {
    count(uid == null ? Answer.NONE : Answer.DONE);
    entry(job).uid = uid;
  }

  synchronized void onDelete(String job, Answer answer) {
    count(answer);
    entry(job).deleted = answer;
  }

  /** Notes a write of an annotation of a Job. Its numbers rise. */
  synchronized void onCount(String job, int number, Answer answer) {
    count(answer);
    Entry entry = entry(job);
    entry.mostCount = number;
    if (answer == Answer.DONE) {
      entry.leastCount = number;
    }
  }

  synchronized int acknowledged() {
    return acknowledged;
  }

  /** Returns all Jobs that there may ever have been. */
  synchronized List<String> jobs() {
    return List.copyOf(entries.keySet());
  }

  /** True if the Job must be there. */
  synchronized boolean isKept(String job) {
    Entry entry = entry(job);
    return entry.uid != null && entry.deleted == Answer.NEVER_SENT;
  }

  /**
   * Compares all Jobs of a server with what was acknowledged.
   *
   * @return what is wrong
   */
  synchronized List<String> differences(Iterable<JsonNode> jobs) {
    Map<String, JsonNode> found = new HashMap<>();
    jobs.forEach(job -> found.put(job.path("metadata").path("name").asString(), job));
    List<String> violations = new ArrayList<>();
    entries.forEach((name, entry) -> {
      JsonNode job = found.remove(name);
      if (job != null) {
        check(name, entry, job.path("metadata"), violations);
      } else if (isKept(name)) {
        violations.add(name + ": was acknowledged, and is lost");
      }
    });
    found.keySet().forEach(name -> violations.add(name + ": nobody created it"));
    return violations;
  }

  private static void check(String name, Entry entry, JsonNode metadata, List<String> violations) {
    if (entry.deleted == Answer.DONE) {
      violations.add(name + ": its deletion was acknowledged, and it is still there");
    }
    if (entry.uid != null && !entry.uid.equals(metadata.path("uid").asString())) {
      violations.add(name + ": is another Job than the one that was acknowledged");
    }
    int count = Integer.parseInt(metadata.path("annotations").path(COUNT).asString("0"));
    if (count < entry.leastCount || count > entry.mostCount) {
      violations.add(
          "%s: was counted up to %d, %d at most, and has %d"
              .formatted(name, entry.leastCount, entry.mostCount, count));
    }
  }
}
