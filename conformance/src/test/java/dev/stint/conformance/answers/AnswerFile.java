package dev.stint.conformance.answers;

import dev.stint.model.Kind;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The rows of one file, all about objects of one kind.
 *
 * @param name the name of the file, such as {@code cronjob-update}
 * @param collection the path to which such objects are posted
 */
record AnswerFile(String name, String collection) {
  private static final Map<String, Kind> KINDS = new HashMap<>();

  static {
    for (Kind kind : Kind.all()) {
      KINDS.put(kind.kind().toLowerCase(Locale.ROOT), kind);
    }
    KINDS.put("event", Kind.EVENT);
    KINDS.put("event2", Kind.EVENTS_EVENT);
    KINDS.put("create", Kind.JOB);
    KINDS.put("update", Kind.JOB);
  }

  static AnswerFile of(String name) {
    Kind kind = KINDS.getOrDefault(name.split("-", 2)[0], Kind.CRON_JOB);
    String group = kind.group().isEmpty() ? "/api/v1" : "/apis/" + kind.apiVersion();
    return new AnswerFile(
        name, group + (kind.namespaced() ? "/namespaces/default/" : "/") + kind.plural());
  }
}
