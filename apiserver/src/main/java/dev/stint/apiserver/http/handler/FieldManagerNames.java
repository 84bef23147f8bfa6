package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.patch.FieldManager;
import dev.stint.model.Kind;

/** Determines the field manager of a request. */
final class FieldManagerNames {
  private static final int LONGEST = 128;

  private FieldManagerNames() {}

  /** Returns the manager that the request names, or else the program that sends it. */
  static FieldManager updating(Call call, Kind kind, String subresource) {
    String named = call.query().text("fieldManager");
    return new FieldManager(
        named.isEmpty() ? program(call.header("User-Agent")) : named,
        FieldManager.Operation.UPDATE,
        subresource,
        kind.apiVersion());
  }

  static FieldManager applying(String name, Kind kind, String subresource) {
    return new FieldManager(name, FieldManager.Operation.APPLY, subresource, kind.apiVersion());
  }

  /** Returns the program in a user agent: {@code kubectl} of {@code kubectl/v1.36}. */
  private static String program(String agent) {
    int slash = agent.indexOf('/');
    String name = slash < 0 ? agent : agent.substring(0, slash);
    StringBuilder clean = new StringBuilder();
    name.chars()
        .filter(c -> c >= ' ' && c < 127)
        .limit(LONGEST)
        .forEach(c -> clean.append((char) c));
    return clean.isEmpty() ? "unknown" : clean.toString();
  }
}
