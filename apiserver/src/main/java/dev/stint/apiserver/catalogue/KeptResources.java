package dev.stint.apiserver.catalogue;

import dev.stint.apiserver.selector.SelectableFields;
import dev.stint.apiserver.strategy.KeptStrategy;
import dev.stint.apiserver.table.Columns;
import dev.stint.model.Kind;
import dev.stint.model.kept.CertificateRequestRules;
import dev.stint.model.kept.DefaultRules;
import dev.stint.model.kept.DisruptionBudgetRules;
import dev.stint.model.kept.IngressRules;
import dev.stint.model.kept.KeptRules;
import dev.stint.model.kept.PersistentVolumeClaimRules;
import dev.stint.model.kept.PodTemplateRules;
import dev.stint.model.kept.RuntimeClassRules;
import dev.stint.model.kept.ServiceRules;
import dev.stint.model.kept.WorkloadRules;
import java.util.List;
import java.util.stream.Stream;

/**
 * The resources that a control plane keeps for other programs, and does nothing with. An entry and
 * a schema make one.
 */
final class KeptResources {
  private static final String ALL = "all";

  private KeptResources() {}

  static List<ApiResource> all() {
    return Stream.of(services(), networking(), volumes(), workloads(), others())
        .flatMap(List::stream)
        .toList();
  }

  private static List<ApiResource> services() {
    return List.of(
        kept("v1", "Service", new ServiceRules())
            .withShortNames("svc")
            .inCategory(ALL)
            .withColumns(Columns.SERVICES)
            .withFields(SelectableFields.SERVICES),
        kept("v1", "Endpoints", DefaultRules.ENDPOINTS)
            .withShortNames("ep")
            .withColumns(Columns.ENDPOINTS),
        counted("discovery.k8s.io/v1", "EndpointSlice", DefaultRules.ENDPOINT_SLICES)
            .withColumns(Columns.ENDPOINT_SLICES));
  }

  private static List<ApiResource> networking() {
    String group = "networking.k8s.io/v1";
    return List.of(
        counted(group, "Ingress", new IngressRules())
            .withShortNames("ing")
            .withColumns(Columns.INGRESSES),
        counted(group, "IngressClass", KeptRules.NONE).withColumns(Columns.INGRESS_CLASSES),
        counted(group, "NetworkPolicy", DefaultRules.NETWORK_POLICIES)
            .withShortNames("netpol")
            .withColumns(Columns.NETWORK_POLICIES));
  }

  private static List<ApiResource> volumes() {
    return List.of(
        kept("v1", "PersistentVolumeClaim", new PersistentVolumeClaimRules())
            .withShortNames("pvc")
            .withColumns(Columns.CLAIMS),
        kept("v1", "PersistentVolume", DefaultRules.VOLUMES)
            .withShortNames("pv")
            .withColumns(Columns.VOLUMES),
        kept("storage.k8s.io/v1", "StorageClass", DefaultRules.STORAGE_CLASSES)
            .withShortNames("sc")
            .withColumns(Columns.STORAGE_CLASSES));
  }

  private static List<ApiResource> workloads() {
    String group = "apps/v1";
    return List.of(
        counted("v1", "PodTemplate", new PodTemplateRules()).withColumns(Columns.POD_TEMPLATES),
        counted("v1", "ReplicationController", WorkloadRules.REPLICATION_CONTROLLERS)
            .withShortNames("rc")
            .withScale()
            .inCategory(ALL)
            .withColumns(Columns.REPLICA_SETS)
            .withFields(SelectableFields.REPLICA_SETS),
        counted(group, "Deployment", WorkloadRules.DEPLOYMENTS)
            .withShortNames("deploy")
            .withScale()
            .inCategory(ALL)
            .withColumns(Columns.DEPLOYMENTS),
        counted(group, "ReplicaSet", WorkloadRules.REPLICA_SETS)
            .withShortNames("rs")
            .withScale()
            .inCategory(ALL)
            .withColumns(Columns.REPLICA_SETS)
            .withFields(SelectableFields.REPLICA_SETS),
        counted(group, "StatefulSet", WorkloadRules.STATEFUL_SETS)
            .withShortNames("sts")
            .withScale()
            .inCategory(ALL)
            .withColumns(Columns.STATEFUL_SETS),
        counted(group, "DaemonSet", WorkloadRules.DAEMON_SETS)
            .withShortNames("ds")
            .inCategory(ALL)
            .withColumns(Columns.DAEMON_SETS),
        kept(group, "ControllerRevision", KeptRules.NONE).withColumns(Columns.REVISIONS),
        kept("autoscaling/v2", "HorizontalPodAutoscaler", DefaultRules.AUTOSCALERS)
            .withShortNames("hpa")
            .inCategory(ALL)
            .withColumns(Columns.AUTOSCALERS));
  }

  private static List<ApiResource> others() {
    return List.of(
        counted("policy/v1", "PodDisruptionBudget", new DisruptionBudgetRules())
            .withShortNames("pdb")
            .withColumns(Columns.BUDGETS),
        kept("node.k8s.io/v1", "RuntimeClass", new RuntimeClassRules())
            .withColumns(Columns.RUNTIME_CLASSES),
        kept("apiregistration.k8s.io/v1", "APIService", KeptRules.NONE)
            .inCategory("api-extensions")
            .withColumns(Columns.API_SERVICES),
        kept("certificates.k8s.io/v1", "CertificateSigningRequest", new CertificateRequestRules())
            .withShortNames("csr")
            .withApproval()
            .withColumns(Columns.CERTIFICATE_REQUESTS)
            .withFields(SelectableFields.CERTIFICATE_REQUESTS));
  }

  private static ApiResource kept(String apiVersion, String kind, KeptRules rules) {
    return resource(apiVersion, kind, rules, false);
  }

  /** Returns a resource whose objects have a generation. */
  private static ApiResource counted(String apiVersion, String kind, KeptRules rules) {
    return resource(apiVersion, kind, rules, true);
  }

  private static ApiResource resource(
      String apiVersion, String kind, KeptRules rules, boolean counted) {
    Kind known = Kind.of(apiVersion, kind).orElseThrow();
    return ApiResource.of(new KeptStrategy(known, rules, counted));
  }
}
