package dev.stint.apiserver.table;

import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.stream.Collectors;

/** The columns of role bindings and cluster role bindings. */
final class BindingColumns {
  static final List<Column> ALL =
      List.of(
          Column.named(),
          Column.text(
              "Role",
              "The role that is granted.",
              o -> o.get("roleRef", "kind").text() + "/" + o.get("roleRef", "name").text()),
          Column.age(),
          subjects("Users", "User", "Users who have the role."),
          subjects("Groups", "Group", "Groups that have the role."),
          subjects("ServiceAccounts", "ServiceAccount", "Service accounts that have the role."));

  private BindingColumns() {}

  private static Column subjects(String name, String kind, String description) {
    return Column.text(
            name,
            description,
            o ->
                o.get("subjects").items().stream()
                    .filter(s -> s.get("kind").text().equals(kind))
                    .map(BindingColumns::subject)
                    .collect(Collectors.joining(", ")))
        .onlyWide();
  }

  private static String subject(FieldPath subject) {
    String name = subject.get("name").text();
    return subject.get("kind").text().equals("ServiceAccount")
        ? subject.get("namespace").text() + "/" + name
        : name;
  }
}
