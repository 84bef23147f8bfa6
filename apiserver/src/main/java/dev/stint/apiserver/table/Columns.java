package dev.stint.apiserver.table;

import static dev.stint.apiserver.table.Column.age;
import static dev.stint.apiserver.table.Column.named;
import static dev.stint.apiserver.table.Column.number;
import static dev.stint.apiserver.table.Column.text;

import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldPath;
import java.util.List;

/** The columns of a kind's tables. */
public final class Columns {
  /** The columns of a kind without columns of its own. */
  public static final Columns PLAIN = new Columns(List.of(named(), Column.createdAt()));

  public static final Columns JOBS = new Columns(JobColumns.ALL, JobColumns.WITH_MANAGER);
  public static final Columns CRON_JOBS = new Columns(CronJobColumns.ALL);
  public static final Columns PODS = new Columns(PodColumns.ALL);
  public static final Columns EVENTS = new Columns(EventColumns.ALL);
  public static final Columns NODES = new Columns(NodeColumns.ALL);
  public static final Columns NAMESPACES = new Columns(namespace());
  public static final Columns CONFIG_MAPS = new Columns(configMap());
  public static final Columns SECRETS = new Columns(secret());
  public static final Columns SERVICE_ACCOUNTS = new Columns(List.of(named(), age()));
  public static final Columns LEASES = new Columns(lease());
  public static final Columns PRIORITY_CLASSES = new Columns(priorityClass());
  public static final Columns RESOURCE_QUOTAS = new Columns(ResourceQuotaColumns.ALL);
  public static final Columns FLOW_SCHEMAS = new Columns(FlowControlColumns.FLOW_SCHEMAS);
  public static final Columns PRIORITY_LEVELS = new Columns(FlowControlColumns.PRIORITY_LEVELS);
  public static final Columns BINDINGS = new Columns(BindingColumns.ALL);

  private final List<Column> columns;

  /** The columns of a table with a Job that names a manager. */
  private final List<Column> withManager;

  private Columns(List<Column> columns) {
    this(columns, columns);
  }

  private Columns(List<Column> columns, List<Column> withManager) {
    this.columns = columns;
    this.withManager = withManager;
  }

  /** Returns these columns and one for the managers of Jobs, if they are those of Jobs. */
  public Columns withManager() {
    return new Columns(withManager);
  }

  /** Returns the columns of a single object's table. */
  public Columns of(KubeObject object) {
    return columns != withManager && JobColumns.delegated(object) ? withManager() : this;
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
