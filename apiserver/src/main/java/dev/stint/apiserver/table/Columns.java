package dev.stint.apiserver.table;

import static dev.stint.apiserver.table.Column.age;
import static dev.stint.apiserver.table.Column.named;
import static dev.stint.apiserver.table.Column.number;
import static dev.stint.apiserver.table.Column.text;

import dev.stint.apiextensions.definition.PrinterColumn;
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
  public static final Columns SERVICES = new Columns(ServiceColumns.SERVICES);
  public static final Columns ENDPOINTS = new Columns(ServiceColumns.ENDPOINTS);
  public static final Columns ENDPOINT_SLICES = new Columns(ServiceColumns.ENDPOINT_SLICES);
  public static final Columns INGRESSES = new Columns(ServiceColumns.INGRESSES);
  public static final Columns INGRESS_CLASSES = new Columns(ServiceColumns.INGRESS_CLASSES);
  public static final Columns NETWORK_POLICIES = new Columns(ServiceColumns.NETWORK_POLICIES);
  public static final Columns CLAIMS = new Columns(VolumeColumns.CLAIMS);
  public static final Columns VOLUMES = new Columns(VolumeColumns.VOLUMES);
  public static final Columns STORAGE_CLASSES = new Columns(VolumeColumns.STORAGE_CLASSES);
  public static final Columns DEPLOYMENTS = new Columns(WorkloadColumns.DEPLOYMENTS);
  public static final Columns REPLICA_SETS = new Columns(WorkloadColumns.REPLICA_SETS);
  public static final Columns STATEFUL_SETS = new Columns(WorkloadColumns.STATEFUL_SETS);
  public static final Columns DAEMON_SETS = new Columns(WorkloadColumns.DAEMON_SETS);
  public static final Columns POD_TEMPLATES = new Columns(WorkloadColumns.POD_TEMPLATES);
  public static final Columns REVISIONS = new Columns(WorkloadColumns.REVISIONS);
  public static final Columns AUTOSCALERS = new Columns(WorkloadColumns.AUTOSCALERS);
  public static final Columns BUDGETS = new Columns(WorkloadColumns.BUDGETS);
  public static final Columns RUNTIME_CLASSES = new Columns(WorkloadColumns.RUNTIME_CLASSES);
  public static final Columns API_SERVICES = new Columns(WorkloadColumns.API_SERVICES);
  public static final Columns CERTIFICATE_REQUESTS =
      new Columns(WorkloadColumns.CERTIFICATE_REQUESTS);

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
    return columns != withManager && JobColumns.isDelegated(object) ? withManager() : this;
  }

  /** Returns the columns that a definition gives its custom resources. */
  public static Columns ofCustomKind(List<PrinterColumn> defined) {
    return new Columns(CustomColumns.of(defined));
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
