package dev.stint.apiserver.table;

import dev.stint.model.field.FieldPath;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The columns of resource quotas. */
final class ResourceQuotaColumns {
  static final List<Column> ALL =
      List.of(
          Column.named(),
          Column.text(
              "Request",
              "What is used of each limit of requests and counts.",
              o -> used(o, name -> !isLimit(name))),
          Column.text(
              "Limit",
              "What is used of each limit of limits.",
              o -> used(o, ResourceQuotaColumns::isLimit)),
          Column.age());

  private ResourceQuotaColumns() {}

  private static boolean isLimit(String name) {
    return name.startsWith("limits.");
  }

  private static String used(FieldPath quota, Predicate<String> which) {
    FieldPath used = quota.get("status", "used");
    return quota.get("status", "hard").entries().stream()
        .filter(limit -> which.test(limit.key()))
        .sorted(Comparator.comparing(FieldPath::key))
        .map(limit -> "%s: %s/%s".formatted(limit.key(), amount(used, limit.key()), limit.text()))
        .collect(Collectors.joining(", "));
  }

  private static String amount(FieldPath used, String name) {
    FieldPath amount = used.get(name);
    return amount.exists() ? amount.text() : "0";
  }
}
