package dev.stint.apiserver.table;

import static dev.stint.apiserver.table.Column.age;
import static dev.stint.apiserver.table.Column.named;
import static dev.stint.apiserver.table.Column.number;
import static dev.stint.apiserver.table.Column.text;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.Map;

/** The columns of a kind's tables. */
public final class Columns {
  private static final List<Column> PLAIN = List.of(named(), Column.createdAt());

  private static final Map<Kind, List<Column>> BY_KIND =
      Map.ofEntries(
          Map.entry(Kind.JOB, JobColumns.ALL),
          Map.entry(Kind.CRON_JOB, CronJobColumns.ALL),
          Map.entry(Kind.POD, PodColumns.ALL),
          Map.entry(Kind.EVENT, EventColumns.ALL),
          Map.entry(Kind.NODE, NodeColumns.ALL),
          Map.entry(Kind.NAMESPACE, namespace()),
          Map.entry(Kind.CONFIG_MAP, configMap()),
          Map.entry(Kind.SECRET, secret()),
          Map.entry(Kind.SERVICE_ACCOUNT, List.of(named(), age())),
          Map.entry(Kind.LEASE, lease()),
          Map.entry(Kind.PRIORITY_CLASS, priorityClass()),
          Map.entry(Kind.RESOURCE_QUOTA, ResourceQuotaColumns.ALL),
          Map.entry(Kind.FLOW_SCHEMA, FlowControlColumns.FLOW_SCHEMAS),
          Map.entry(Kind.PRIORITY_LEVEL, FlowControlColumns.PRIORITY_LEVELS),
          Map.entry(Kind.ROLE_BINDING, BindingColumns.ALL),
          Map.entry(Kind.CLUSTER_ROLE_BINDING, BindingColumns.ALL));

  private final List<Column> columns;

  private Columns(List<Column> columns) {
    this.columns = columns;
  }

  /**
   * Returns the columns of a kind.
   *
   * @param managed true if any Job of the list, on whichever page, names a manager
   */
  public static Columns of(Kind kind, boolean managed) {
    return new Columns(
        managed && kind.equals(Kind.JOB)
            ? JobColumns.WITH_MANAGER
            : BY_KIND.getOrDefault(kind, PLAIN));
  }

  /** Returns the columns of a single object's table. */
  static Columns of(KubeObject object) {
    return of(object.kind(), JobColumns.delegated(object));
  }

  List<Column> list() {
    return columns;
  }

  private static List<Column> namespace() {
    return List.of(
        named(),
        text(
            "Status",
            "Whether the namespace is active or terminating.",
            o -> o.get("status", "phase").text()),
        age());
  }

  private static List<Column> configMap() {
    return List.of(
        named(),
        number(
            "Data",
            "string",
            "How many entries it holds.",
            o -> size(o, "data") + size(o, "binaryData")),
        age());
  }

  private static List<Column> secret() {
    return List.of(
        named(),
        text("Type", "What the secret is for.", o -> o.get("type").text()),
        number("Data", "string", "How many entries it holds.", o -> size(o, "data")),
        age());
  }

  private static List<Column> lease() {
    return List.of(
        named(),
        text("Holder", "The holder of the lease.", o -> o.get("spec", "holderIdentity").text()),
        age());
  }

  private static List<Column> priorityClass() {
    return List.of(
        named(),
        number("Value", "integer", "The priority that pods get.", o -> o.get("value").count()),
        Column.flag(
            "Global-Default",
            "Whether pods without a class get this one.",
            o -> o.get("globalDefault").isTrue()),
        age(),
        text(
            "PreemptionPolicy",
            "Whether pods of this class may preempt others.",
            o -> o.get("preemptionPolicy").text()));
  }

  private static long size(FieldPath object, String member) {
    return object.get(member).node().size();
  }
}
