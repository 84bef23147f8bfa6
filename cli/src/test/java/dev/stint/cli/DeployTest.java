package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.metrics.PrometheusMetrics;
import dev.stint.controllers.metrics.PrometheusMirrorMetrics;
import dev.stint.controllers.mirror.MirrorNames;
import dev.stint.covers.Covers;
import dev.stint.embedded.metrics.ApiMetrics;
import dev.stint.embedded.metrics.PrometheusFlowControlMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The files of {@code deploy} agree with each other, the command line, the metrics and the runbook.
 */
class DeployTest {
  private static final Path RUNBOOK = Path.of("../docs/operations.md");
  private static final Path DEPLOY = Path.of("../deploy");
  private static final Set<String> KINDS =
      Set.of(
          "v1 Namespace",
          "v1 Service",
          "v1 ServiceAccount",
          "apps/v1 Deployment",
          "kustomize.config.k8s.io/v1beta1 Kustomization",
          "monitoring.coreos.com/v1 ServiceMonitor",
          "networking.k8s.io/v1 NetworkPolicy",
          "policy/v1 PodDisruptionBudget",
          "rbac.authorization.k8s.io/v1 ClusterRole",
          "rbac.authorization.k8s.io/v1 ClusterRoleBinding",
          "rbac.authorization.k8s.io/v1 Role",
          "rbac.authorization.k8s.io/v1 RoleBinding");
  private static final Pattern METRIC =
      Pattern.compile(
          "\\b(?:job_controller|workqueue|stint_mirror|stint_shards?|leader_election)_\\w+");

  /** The metrics that the command registers, not the controllers. */
  private static final Set<String> OF_THE_COMMAND =
      Set.of("leader_election_master_status", "stint_shards_held", "stint_shard_held");

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  static JsonNode yaml(Path file) {
    try {
      Object read =
          new Load(LoadSettings.builder().setLabel(file.toString()).build())
              .loadFromString(Files.readString(file));
      return MAPPER.valueToTree(read);
    } catch (IOException fault) {
      throw new java.io.UncheckedIOException(fault);
    }
  }

  private static JsonNode base(String name) {
    return yaml(DEPLOY.resolve("base").resolve(name + ".yaml"));
  }

  private static JsonNode monitoring(String name) {
    return yaml(DEPLOY.resolve("monitoring").resolve(name + ".yaml"));
  }

  private static List<Path> manifests() throws IOException {
    try (Stream<Path> files = Files.walk(DEPLOY)) {
      return files
          .filter(file -> file.toString().endsWith(".yaml"))
          .filter(file -> !file.endsWith("rules.yaml"))
          .filter(file -> !file.startsWith(DEPLOY.resolve("templates"))) // See ChartTest.
          .filter(file -> !DEPLOY.equals(file.getParent()))
          .sorted()
          .toList();
    }
  }

  @Test
  void manifestsExist() throws IOException {
    assertThat(manifests()).hasSizeGreaterThanOrEqualTo(14);
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void everyManifestIsOfAKnownKind(Path file) {
    JsonNode read = yaml(file);
    assertThat(KINDS)
        .contains(read.at("/apiVersion").asString() + " " + read.at("/kind").asString());
    if (!read.at("/kind").asString().equals("Kustomization")) {
      assertThat(read.at("/metadata/name").asString()).startsWith("stint-");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"base", "console", "monitoring"})
  void everyManifestIsPartOfItsKustomization(String directory) throws IOException {
    TreeSet<String> listed = new TreeSet<>();
    yaml(DEPLOY.resolve(directory).resolve("kustomization.yaml"))
        .at("/resources")
        .forEach(resource -> listed.add(resource.asString()));
    TreeSet<String> there = new TreeSet<>();
    for (Path file : manifests()) {
      if (file.startsWith(DEPLOY.resolve(directory)) && !file.endsWith("kustomization.yaml")) {
        there.add(file.getFileName().toString());
      }
    }
    assertThat(listed).isEqualTo(there);
  }

  @Test
  void everySelectorSelectsTheControllersPods() {
    JsonNode labels = base("deployment").at("/spec/template/metadata/labels");
    assertThat(labels.isEmpty()).isFalse();
    assertThat(base("deployment").at("/spec/selector/matchLabels")).isEqualTo(labels);
    assertThat(base("service").at("/spec/selector")).isEqualTo(labels);
    assertThat(base("pod-disruption-budget").at("/spec/selector/matchLabels")).isEqualTo(labels);
    assertThat(base("network-policy").at("/spec/podSelector/matchLabels")).isEqualTo(labels);
    assertThat(monitoring("service-monitor").at("/spec/selector/matchLabels"))
        .isEqualTo(base("service").at("/metadata/labels"));
  }

  @Test
  void portsAgree() {
    JsonNode container = base("deployment").at("/spec/template/spec/containers/0");
    String name = container.at("/ports/0/name").asString();
    int port = container.at("/ports/0/containerPort").intValue();
    assertThat(args()).contains("--metrics-listen=0.0.0.0:" + port);
    assertThat(container.at("/livenessProbe/httpGet/port").asString()).isEqualTo(name);
    assertThat(container.at("/readinessProbe/httpGet/port").asString()).isEqualTo(name);
    assertThat(base("service").at("/spec/ports/0/targetPort").asString()).isEqualTo(name);
    assertThat(base("service").at("/spec/ports/0/port").intValue()).isEqualTo(port);
    assertThat(base("network-policy").at("/spec/ingress/0/ports/0/port").asString())
        .isEqualTo(name);
    assertThat(monitoring("service-monitor").at("/spec/endpoints/0/port").asString())
        .isEqualTo(base("service").at("/spec/ports/0/name").asString());
  }

  @Test
  void probesRequestServedPaths() {
    JsonNode container = base("deployment").at("/spec/template/spec/containers/0");
    assertThat(container.at("/livenessProbe/httpGet/path").asString()).isEqualTo("/healthz");
    assertThat(container.at("/readinessProbe/httpGet/path").asString()).isEqualTo("/readyz");
    assertThat(monitoring("service-monitor").at("/spec/endpoints/0/path").asString())
        .isEqualTo("/metrics");
  }

  @Test
  void twoReplicasOfTheControllerElectALeader() {
    assertThat(base("deployment").at("/spec/replicas").intValue()).isEqualTo(2);
    assertThat(args()).startsWith("controller").contains("--leader-elect");
    Recorded recorded = Recorded.plain();
    assertThat(recorded.run("help", args().getFirst())).isZero();
    String help = String.join("\n", recorded.out());
    args().stream().skip(1).forEach(arg -> assertThat(help).contains(arg.replaceAll("=.*", "")));
  }

  private static List<String> args() {
    return base("deployment")
        .at("/spec/template/spec/containers/0/args")
        .valueStream()
        .map(JsonNode::asString)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "cluster-"})
  void rolesAreBoundToTheControllersAccount(String scope) {
    JsonNode binding = base(scope + "role-binding");
    JsonNode role = base(scope + "role");
    assertThat(binding.at("/roleRef/kind")).isEqualTo(role.at("/kind"));
    assertThat(binding.at("/roleRef/name")).isEqualTo(role.at("/metadata/name"));
    JsonNode account = base("service-account");
    assertThat(binding.at("/subjects/0/name")).isEqualTo(account.at("/metadata/name"));
    assertThat(binding.at("/subjects/0/namespace"))
        .isEqualTo(base("namespace").at("/metadata/name"));
    assertThat(base("deployment").at("/spec/template/spec/serviceAccountName"))
        .isEqualTo(account.at("/metadata/name"));
  }

  @Test
  void theConsolesRoleIsBoundToTheControllersAccount() {
    JsonNode binding = yaml(DEPLOY.resolve("console/cluster-role-binding.yaml"));
    assertThat(binding.at("/subjects")).isEqualTo(base("cluster-role-binding").at("/subjects"));
    assertThat(binding.at("/roleRef/name"))
        .isEqualTo(yaml(DEPLOY.resolve("console/cluster-role.yaml")).at("/metadata/name"));
  }

  @Test
  void theContainerHasOnlyThePermissionsItNeeds() {
    JsonNode pod = base("deployment").at("/spec/template/spec");
    assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
    assertThat(pod.at("/securityContext/seccompProfile/type").asString())
        .isEqualTo("RuntimeDefault");
    JsonNode container = pod.at("/containers/0/securityContext");
    assertThat(container.at("/allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(container.at("/readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(container.at("/capabilities/drop/0").asString()).isEqualTo("ALL");
  }

  /** Returns the names of the metrics that a file uses, without the suffixes of histograms. */
  private static TreeSet<String> asked(String... files) throws IOException {
    TreeSet<String> asked = new TreeSet<>();
    for (String file : files) {
      METRIC
          .matcher(Files.readString(DEPLOY.resolve("monitoring").resolve(file)))
          .results()
          .forEach(found -> asked.add(found.group().replaceAll("_(bucket|sum|count|total)$", "")));
    }
    return asked;
  }

  @Test
  @Covers({"MB-35", "MB-38"})
  void alertsAndDashboardShowExactlyTheExistingMetrics() throws IOException {
    PrometheusRegistry registry = new PrometheusRegistry();
    new PrometheusMetrics(registry, InstantSource.system());
    new PrometheusMirrorMetrics(registry, MirrorNames.problems());
    TreeSet<String> known = new TreeSet<>(OF_THE_COMMAND);
    registry.scrape().forEach(metric -> known.add(metric.getMetadata().getPrometheusName()));
    assertThat(asked("rules.yaml", "dashboard.json")).isEqualTo(known);
  }

  @ParameterizedTest
  @ValueSource(strings = {"StintNoLeader", "StintMoreThanOneLeader", "StintShardWithoutOwner"})
  void electionsOfSeveralControllersAreToldApart(String alert) {
    JsonNode found =
        monitoring("rules")
            .at("/groups/0/rules")
            .valueStream()
            .filter(rule -> rule.path("alert").asString("").equals(alert))
            .findFirst()
            .orElseThrow();
    assertThat(found.at("/expr").asString())
        .contains("sum by (namespace, job")
        .doesNotContain("sum(");
  }

  @Test
  void theRunbookListsExactlyTheMetrics() throws IOException {
    PrometheusRegistry registry = new PrometheusRegistry();
    new PrometheusMetrics(registry, InstantSource.system());
    new PrometheusMirrorMetrics(registry, MirrorNames.problems());
    new PrometheusFlowControlMetrics(registry);
    new ApiMetrics(registry);
    List<String> known = new ArrayList<>(OF_THE_COMMAND);
    registry
        .scrape()
        .forEach(metric -> {
          String counted = metric instanceof CounterSnapshot ? "_total" : "";
          known.add(metric.getMetadata().getPrometheusName() + counted);
        });
    String section = Files.readString(RUNBOOK).split("\n## The metrics\n", 2)[1];
    assertThat(
            Pattern.compile("(?m)^\\| `(\\w+)` \\|")
                .matcher(section.split("\n## ", 2)[0])
                .results()
                .map(row -> row.group(1)))
        .containsExactlyInAnyOrderElementsOf(known);
  }

  @Test
  void everyAlertIsInTheRunbook() throws IOException {
    String runbook = Files.readString(RUNBOOK);
    JsonNode rules = monitoring("rules").at("/groups/0/rules");
    List<String> alerts =
        rules
            .valueStream()
            .map(r -> r.path("alert").asString(""))
            .filter(a -> !a.isEmpty())
            .toList();
    assertThat(alerts).hasSizeGreaterThanOrEqualTo(10);
    assertThat(alerts).allSatisfy(alert -> assertThat(runbook).contains("### " + alert + "\n"));
    assertThat(rules.valueStream())
        .allSatisfy(rule -> {
          assertThat(rule.path("expr").asString()).isNotBlank();
          if (rule.has("alert")) {
            assertThat(rule.at("/labels/severity").asString()).isIn("warning", "critical");
            assertThat(rule.at("/annotations/summary").asString()).endsWith(".");
          }
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "JobTrackingWithoutLingeringPods (KEP-2307)",
        "JobSuccessPolicy (KEP-3998)",
        "JobBackoffLimitPerIndex (KEP-3850)",
        "JobManagedBy (KEP-4368)"
      })
  void theRunbookDescribesTheRollbackOfEachProposal(String feature) throws IOException {
    assertThat(section(feature)).contains("- **Off**: ", "- **On again**: ", "- **Switch it off");
  }

  @Test
  @Covers({"MB-33", "MB-34"})
  void theRunbookWarnsOfTwoControllersAndOfJobsThatAreCreatedDuringAnUpgrade() throws IOException {
    assertThat(section("JobManagedBy (KEP-4368)"))
        .containsIgnoringWhitespaces(
            "Remove such Jobs, or stop their controllers", "two controllers fight");
    assertThat(Files.readString(RUNBOOK))
        .containsIgnoringWhitespaces("Create no Jobs with `spec.managedBy` while");
  }

  private static String section(String heading) throws IOException {
    String[] parts = Files.readString(RUNBOOK).split("### " + Pattern.quote(heading) + "\n", 2);
    assertThat(parts).hasSize(2);
    return parts[1].split("\n### ", 2)[0];
  }

  @Test
  void panelsOfTheDashboardHaveQueriesAndDoNotOverlap() throws IOException {
    JsonNode dashboard =
        MAPPER.readTree(Files.readString(DEPLOY.resolve("monitoring/dashboard.json")));
    TreeSet<String> places = new TreeSet<>();
    dashboard
        .at("/panels")
        .forEach(panel -> {
          assertThat(panel.at("/targets/0/expr").asString()).isNotBlank();
          Map<?, ?> place = MAPPER.convertValue(panel.get("gridPos"), Map.class);
          assertThat(places.add(place.get("x") + "," + place.get("y"))).isTrue();
        });
    assertThat(places).hasSizeGreaterThanOrEqualTo(12);
  }
}
