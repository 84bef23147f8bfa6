package dev.stint.bench.mutation;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Batch;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Valid requests: each verb of each kind, its subresources, patches and documents in all forms. */
final class SampleCalls {
  private static final String JSON = "application/json";
  private static final String YAML = "application/yaml";
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final List<String> PATCH_TYPES =
      List.of(
          "application/merge-patch+json",
          "application/strategic-merge-patch+json",
          "application/apply-patch+yaml");

  private static final String POD_SPEC =
      """
      {"restartPolicy": "Never", "serviceAccountName": "default", "terminationGracePeriodSeconds": 5, "nodeSelector": {"a": "b"},
       "activeDeadlineSeconds": 100, "securityContext": {"runAsUser": 1000, "fsGroup": 5},
       "tolerations": [{"key": "k", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}],
       "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "DoNotSchedule",
         "labelSelector": {"matchLabels": {"a": "b"}}}],
       "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
         {"topologyKey": "z", "labelSelector": {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}}]}},
       "initContainers": [{"name": "first", "image": "i", "restartPolicy": "Always"}],
       "containers": [{"name": "main", "image": "busybox:1", "command": ["sh", "-c", "exit 0"], "args": ["$(A)"],
         "env": [{"name": "A", "value": "1"}, {"name": "F", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
           {"name": "R", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "1m"}}},
           {"name": "C", "valueFrom": {"configMapKeyRef": {"name": "c", "key": "k", "optional": true}}}],
         "envFrom": [{"prefix": "P_", "secretRef": {"name": "s"}}],
         "ports": [{"containerPort": 80, "name": "http", "protocol": "TCP"}],
         "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}, "limits": {"cpu": "1", "memory": "128Mi"}},
         "livenessProbe": {"httpGet": {"path": "/x", "port": 80}, "periodSeconds": 3},
         "lifecycle": {"preStop": {"sleep": {"seconds": 1}}},
         "volumeMounts": [{"name": "v", "mountPath": "/v", "subPath": "s", "readOnly": true}]}],
       "volumes": [{"name": "v", "emptyDir": {"sizeLimit": "1Mi"}},
         {"name": "m", "configMap": {"name": "c", "items": [{"key": "k", "path": "a/b", "mode": 256}], "optional": true}},
         {"name": "p", "projected": {"sources": [{"downwardAPI": {"items": [{"path": "l", "fieldRef": {"fieldPath": "metadata.labels"}}]}},
           {"serviceAccountToken": {"path": "t", "expirationSeconds": 3600}}]}}]}
      """;

  private static final String JOB_SPEC =
      """
      {"completions": 5, "parallelism": 2, "completionMode": "Indexed", "backoffLimitPerIndex": 1, "maxFailedIndexes": 3,
       "backoffLimit": 6, "suspend": true, "ttlSecondsAfterFinished": 100, "activeDeadlineSeconds": 1000,
       "podReplacementPolicy": "Failed", "managedBy": "example.com/x",
       "successPolicy": {"rules": [{"succeededIndexes": "0-2,4", "succeededCount": 2}]},
       "podFailurePolicy": {"rules": [{"action": "FailJob", "onExitCodes": {"containerName": "main", "operator": "In", "values": [42]}},
         {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}]},
       "template": {"metadata": {"labels": {"a": "b"}}, "spec": POD}}
      """;

  /** Each kind's members besides the metadata. */
  private static final Map<Kind, String> DOCUMENTS = documents();

  private SampleCalls() {}

  private static Map<Kind, String> documents() {
    Map<Kind, String> all = new LinkedHashMap<>();
    String job = JOB_SPEC.replace("POD", POD_SPEC);
    String rules =
        "{\"rules\": [{\"apiGroups\": [\"\"], \"resources\": [\"pods\"], \"verbs\": [\"get\"]}]}";
    String subject =
        "\"subjects\": [{\"kind\": \"ServiceAccount\", \"name\": \"x\", \"namespace\": \"default\"}]";
    all.put(Kind.JOB, "{\"spec\": " + job + "}");
    all.put(
        Kind.CRON_JOB,
        "{\"spec\": {\"schedule\": \"*/5 * * * *\", \"timeZone\": \"Europe/Berlin\", \"suspend\": true,"
            + " \"startingDeadlineSeconds\": 10, \"concurrencyPolicy\": \"Replace\","
            + " \"jobTemplate\": {\"spec\": "
            + job
            + "}}}");
    all.put(Kind.POD, "{\"spec\": " + POD_SPEC + "}");
    all.put(Kind.CONFIG_MAP, "{\"data\": {\"k\": \"v\"}, \"binaryData\": {\"b\": \"AAEC\"}}");
    all.put(
        Kind.SECRET,
        "{\"type\": \"Opaque\", \"data\": {\"k\": \"dg==\"}, \"stringData\": {\"s\": \"t\"}}");
    all.put(Kind.NAMESPACE, "{\"spec\": {\"finalizers\": [\"kubernetes\"]}}");
    all.put(
        Kind.SERVICE_ACCOUNT,
        "{\"secrets\": [{\"name\": \"s\"}], \"automountServiceAccountToken\": false}");
    all.put(
        Kind.EVENT,
        "{\"involvedObject\": {\"kind\": \"Pod\", \"name\": \"p\", \"namespace\": \"default\"}, \"reason\": \"R\","
            + " \"message\": \"m\", \"type\": \"Normal\", \"count\": 3, \"firstTimestamp\": \"2026-01-01T00:00:00Z\"}");
    all.put(
        Kind.EVENTS_EVENT,
        "{\"regarding\": {\"kind\": \"Pod\", \"name\": \"p\", \"namespace\": \"default\"}, \"reason\": \"R\", \"note\": \"n\","
            + " \"type\": \"Normal\", \"action\": \"A\", \"eventTime\": \"2026-01-01T00:00:00.000000Z\","
            + " \"reportingController\": \"example.com/c\", \"reportingInstance\": \"i\"}");
    all.put(
        Kind.NODE,
        "{\"spec\": {\"taints\": [{\"key\": \"k\", \"value\": \"v\", \"effect\": \"NoSchedule\"}]}}");
    all.put(
        Kind.LEASE,
        "{\"spec\": {\"holderIdentity\": \"me\", \"leaseDurationSeconds\": 15, \"leaseTransitions\": 2,"
            + " \"acquireTime\": \"2026-01-01T00:00:00.000000Z\", \"renewTime\": \"2026-01-01T00:00:00.000000Z\"}}");
    all.put(
        Kind.PRIORITY_CLASS,
        "{\"value\": 1000, \"globalDefault\": false, \"preemptionPolicy\": \"Never\"}");
    all.put(
        Kind.LIMIT_RANGE,
        "{\"spec\": {\"limits\": [{\"type\": \"Container\", \"max\": {\"cpu\": \"2\"}, \"min\": {\"cpu\": \"10m\"},"
            + " \"default\": {\"cpu\": \"1\"}, \"defaultRequest\": {\"cpu\": \"500m\"}, \"maxLimitRequestRatio\": {\"cpu\": \"10\"}}]}}");
    all.put(
        Kind.RESOURCE_QUOTA,
        "{\"spec\": {\"hard\": {\"pods\": \"100\", \"requests.cpu\": \"50\", \"count/jobs.batch\": \"1000\"},"
            + " \"scopeSelector\": {\"matchExpressions\": [{\"scopeName\": \"PriorityClass\", \"operator\": \"In\", \"values\": [\"x\"]}]}}}");
    all.put(Kind.ROLE, rules);
    all.put(
        Kind.CLUSTER_ROLE,
        rules.replace(
            "{\"rules",
            "{\"aggregationRule\": {\"clusterRoleSelectors\": [{\"matchLabels\": {\"a\": \"b\"}}]}, \"rules"));
    all.put(
        Kind.ROLE_BINDING,
        "{"
            + subject
            + ", \"roleRef\": {\"apiGroup\": \"rbac.authorization.k8s.io\", \"kind\": \"ClusterRole\", \"name\": \"view\"}}");
    all.put(
        Kind.CLUSTER_ROLE_BINDING,
        "{"
            + subject
            + ", \"roleRef\": {\"apiGroup\": \"rbac.authorization.k8s.io\", \"kind\": \"ClusterRole\", \"name\": \"view\"}}");
    return all;
  }

  static List<HttpCall> all() {
    List<HttpCall> all = new ArrayList<>();
    DOCUMENTS.forEach((kind, document) -> {
      reads(all, kind);
      writes(all, kind, document);
      patches(all, kind);
    });
    pods(all);
    reviews(all);
    yaml(all);
    protobuf(all);
    for (String path :
        List.of(
            "/api",
            "/apis",
            "/api/v1",
            "/apis/batch/v1",
            "/version",
            "/openapi/v2",
            "/openapi/v3",
            "/openapi/v3/apis/batch/v1",
            "/healthz",
            "/readyz?verbose",
            "/livez/store",
            "/metrics",
            "/")) {
      all.add(HttpCall.of("GET", path));
    }
    return all;
  }

  private static String collection(Kind kind) {
    String root = kind.group().isEmpty() ? "/api/" : "/apis/" + kind.group() + "/";
    return root
        + kind.version()
        + (kind.namespaced() ? "/namespaces/default/" : "/")
        + kind.plural();
  }

  private static void reads(List<HttpCall> all, Kind kind) {
    String path = collection(kind);
    all.add(
        HttpCall.of(
            "GET", path + "?limit=5&labelSelector=a%3Db,c%20in%20(d,e),!f&resourceVersion=0"));
    all.add(
        HttpCall.of(
            "GET",
            path
                + "?fieldSelector=metadata.name%3Dx&resourceVersionMatch=NotOlderThan&resourceVersion=1"));
    all.add(HttpCall.of("GET", path + "/one"));
    all.add(
        HttpCall.of("GET", path + "?limit=3&includeObject=Metadata")
            .withHeader("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"));
    all.add(
        HttpCall.of("GET", path + "/one")
            .withHeader("Accept", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"));
    all.add(
        HttpCall.of(
            "GET",
            path
                + "?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&sendInitialEvents=true"
                + "&resourceVersionMatch=NotOlderThan"));
    all.add(
        HttpCall.of(
            "DELETE", path + "?labelSelector=a%3Db&propagationPolicy=Background&dryRun=All"));
    all.add(
        HttpCall.of(
            "DELETE",
            path + "/one?gracePeriodSeconds=0",
            JSON,
            "{\"kind\": \"DeleteOptions\", \"apiVersion\": \"v1\", \"propagationPolicy\": \"Orphan\","
                + " \"preconditions\": {\"uid\": \"x\", \"resourceVersion\": \"1\"}, \"dryRun\": [\"All\"]}"));
    all.add(HttpCall.of("DELETE", path + "/two"));
  }

  private static String document(Kind kind, String name, String rest) {
    ObjectNode tree = Json.object().put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
    ObjectNode metadata = tree.putObject("metadata").put("name", name);
    metadata.putObject("labels").put("a", "b");
    metadata.putObject("annotations").put("example.com/n", "text");
    metadata.putArray("finalizers");
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "v1")
        .put("kind", "ConfigMap")
        .put("name", "o")
        .put("uid", "00000000-0000-0000-0000-000000000001");
    tree.setAll(Json.parse(rest));
    return new String(Json.bytes(tree), UTF_8);
  }

  private static void writes(List<HttpCall> all, Kind kind, String rest) {
    String path = collection(kind);
    for (String name : List.of("one", "two", "three")) {
      all.add(
          HttpCall.of(
              "POST",
              path + "?fieldManager=m&fieldValidation=Warn",
              JSON,
              document(kind, name, rest)));
      all.add(HttpCall.of("PUT", path + "/" + name, JSON, document(kind, name, rest)));
    }
    String one = document(kind, "one", rest);
    all.add(HttpCall.of("POST", path + "?dryRun=All&fieldValidation=Strict&pretty=1", JSON, one));
    all.add(HttpCall.of("POST", path, YAML, one));
    all.add(
        HttpCall.of(
            "PUT",
            path + "/one/status",
            JSON,
            document(
                kind,
                "one",
                "{\"status\": {\"active\": 1, \"startTime\": \"2026-01-01T00:00:00Z\", \"phase\": \"Active\","
                    + " \"conditions\": [{\"type\": \"X\", \"status\": \"True\"}], \"completedIndexes\": \"0-2\"}}")));
  }

  private static void patches(List<HttpCall> all, Kind kind) {
    String path = collection(kind) + "/one";
    String merge =
        "{\"apiVersion\": \"%s\", \"kind\": \"%s\", \"metadata\": {\"labels\": {\"p\": \"q\", \"a\": null}}}"
            .formatted(kind.apiVersion(), kind.kind());
    for (String type : PATCH_TYPES) {
      String query = type.contains("apply") ? "?fieldManager=me&force=true" : "?fieldManager=me";
      all.add(
          HttpCall.of(
              "PATCH",
              path + query,
              type,
              merge.replace(", \"a\": null", type.contains("apply") ? "" : ", \"a\": null")));
    }
    all.add(
        HttpCall.of(
            "PATCH",
            path,
            "application/json-patch+json",
            "[{\"op\": \"add\", \"path\": \"/metadata/labels/x~1y\", \"value\": \"z\"},"
                + " {\"op\": \"test\", \"path\": \"/metadata/name\", \"value\": \"one\"},"
                + " {\"op\": \"copy\", \"from\": \"/metadata/labels\", \"path\": \"/metadata/annotations\"},"
                + " {\"op\": \"move\", \"from\": \"/metadata/labels/x~1y\", \"path\": \"/metadata/labels/c\"},"
                + " {\"op\": \"replace\", \"path\": \"/metadata/labels/c\", \"value\": \"1\"},"
                + " {\"op\": \"remove\", \"path\": \"/metadata/labels/c\"}]"));
    if (kind.equals(Kind.POD) || kind.equals(Kind.JOB)) {
      all.add(
          HttpCall.of(
              "PATCH",
              path,
              "application/strategic-merge-patch+json",
              "{\"metadata\": {\"$patch\": \"merge\", \"$retainKeys\": [\"name\"]}, \"spec\": {"
                  + "\"tolerations\": [{\"$patch\": \"replace\"}], \"$setElementOrder/containers\": [{\"name\": \"main\"}],"
                  + " \"containers\": [{\"name\": \"main\", \"image\": \"i:2\"}, {\"$patch\": \"delete\", \"name\": \"gone\"}],"
                  + " \"$deleteFromPrimitiveList/finalizers\": [\"x\"]}}"));
    }
  }

  private static void pods(List<HttpCall> all) {
    String pod = collection(Kind.POD) + "/one";
    all.add(
        HttpCall.of(
            "GET",
            pod + "/log?container=main&tailLines=5&limitBytes=100&timestamps=true&sinceSeconds=3"));
    all.add(
        HttpCall.of(
            "GET",
            pod + "/log?follow=true&previous=false&sinceTime=2026-01-01T00:00:00Z&stream=Stdout"));
    all.add(
        HttpCall.of(
            "POST",
            pod + "/exec?command=sh&command=-c&stdin=true&stdout=true&tty=false&container=main"));
    all.add(HttpCall.of("GET", pod + "/attach?stdin=true&stdout=true"));
    all.add(HttpCall.of("POST", pod + "/portforward?ports=80"));
    all.add(
        HttpCall.of(
            "POST",
            pod + "/eviction",
            JSON,
            "{\"apiVersion\": \"policy/v1\", \"kind\": \"Eviction\", \"metadata\": {\"name\": \"one\"},"
                + " \"deleteOptions\": {\"gracePeriodSeconds\": 3, \"preconditions\": {\"uid\": \"u\"}}}"));
    all.add(
        HttpCall.of(
            "POST",
            pod + "/binding",
            JSON,
            "{\"apiVersion\": \"v1\", \"kind\": \"Binding\", \"metadata\": {\"name\": \"one\"},"
                + " \"target\": {\"kind\": \"Node\", \"name\": \"localhost\"}}"));
    all.add(
        HttpCall.of(
            "PUT",
            pod + "/ephemeralcontainers",
            JSON,
            document(
                Kind.POD,
                "one",
                "{\"spec\": {\"ephemeralContainers\": [{\"name\": \"d\", \"image\": \"i\"}]}}")));
    all.add(
        HttpCall.of(
            "POST",
            collection(Kind.SERVICE_ACCOUNT) + "/default/token",
            JSON,
            "{\"apiVersion\": \"authentication.k8s.io/v1\", \"kind\": \"TokenRequest\", \"spec\": {\"audiences\": [\"a\"],"
                + " \"expirationSeconds\": 3600, \"boundObjectRef\": {\"kind\": \"Pod\", \"apiVersion\": \"v1\", \"name\": \"one\"}}}"));
  }

  private static void reviews(List<HttpCall> all) {
    String group = "/apis/authorization.k8s.io/v1/";
    String attributes =
        "\"resourceAttributes\": {\"namespace\": \"default\", \"verb\": \"get\", \"group\": \"batch\", \"resource\": \"jobs\","
            + " \"subresource\": \"status\", \"fieldSelector\": {\"rawSelector\": \"metadata.name=a\"},"
            + " \"labelSelector\": {\"requirements\": [{\"key\": \"a\", \"operator\": \"In\", \"values\": [\"b\"]}]}}";
    review(
        all,
        group + "selfsubjectaccessreviews",
        "authorization.k8s.io/v1",
        "SelfSubjectAccessReview",
        attributes);
    review(
        all,
        group + "subjectaccessreviews",
        "authorization.k8s.io/v1",
        "SubjectAccessReview",
        attributes + ", \"user\": \"jane\", \"groups\": [\"g\"], \"extra\": {\"k\": [\"v\"]}");
    review(
        all,
        group + "namespaces/default/localsubjectaccessreviews",
        "authorization.k8s.io/v1",
        "LocalSubjectAccessReview",
        attributes + ", \"user\": \"jane\"");
    review(
        all,
        group + "selfsubjectrulesreviews",
        "authorization.k8s.io/v1",
        "SelfSubjectRulesReview",
        "\"namespace\": \"default\"");
    review(
        all,
        "/apis/authentication.k8s.io/v1/tokenreviews",
        "authentication.k8s.io/v1",
        "TokenReview",
        "\"token\": \"a.b.c\", \"audiences\": [\"x\"]");
    review(
        all,
        "/apis/authentication.k8s.io/v1/selfsubjectreviews",
        "authentication.k8s.io/v1",
        "SelfSubjectReview",
        "");
  }

  private static void review(
      List<HttpCall> all, String path, String apiVersion, String kind, String spec) {
    all.add(
        HttpCall.of(
            "POST",
            path,
            JSON,
            "{\"apiVersion\": \"%s\", \"kind\": \"%s\", \"spec\": {%s}}"
                .formatted(apiVersion, kind, spec)));
  }

  private static void yaml(List<HttpCall> all) {
    String map =
        """
        # a comment
        apiVersion: v1
        kind: ConfigMap
        metadata: &m
          name: "one"
          labels: {a: b, "c": 'd'}
        data:
          text: |-
            two
            lines
          folded: >
            a
            b
          number: "1"
          copy: !!str 7
        """;
    String job =
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: two
        spec:
          suspend: true
          template:
            spec:
              restartPolicy: Never
              containers:
              - &c
                name: main
                image: i
                command: [a, b]
              - <<: *c
                name: second
        """;
    all.add(HttpCall.of("POST", collection(Kind.CONFIG_MAP), YAML, map));
    all.add(HttpCall.of("PUT", collection(Kind.CONFIG_MAP) + "/one", YAML, map));
    all.add(
        HttpCall.of(
            "PATCH",
            collection(Kind.CONFIG_MAP) + "/one?fieldManager=me",
            PATCH_TYPES.get(2),
            map));
    all.add(HttpCall.of("POST", collection(Kind.JOB), YAML, job));
    all.add(
        HttpCall.of(
            "PATCH",
            collection(Kind.JOB) + "/two?fieldManager=y&force=1",
            PATCH_TYPES.get(2),
            job));
  }

  private static void protobuf(List<HttpCall> all) {
    Meta.ObjectMeta metadata =
        Meta.ObjectMeta.newBuilder().setName("one").putLabels("a", "b").build();
    V1.ConfigMap map = V1.ConfigMap.newBuilder().setMetadata(metadata).putData("k", "v").build();
    V1.PodSpec pod =
        V1.PodSpec.newBuilder()
            .setRestartPolicy("Never")
            .addContainers(V1.Container.newBuilder().setName("main").setImage("i").addCommand("a"))
            .build();
    V1Batch.Job job =
        V1Batch.Job.newBuilder()
            .setMetadata(metadata)
            .setSpec(
                V1Batch.JobSpec.newBuilder()
                    .setSuspend(true)
                    .setParallelism(3)
                    .setTemplate(V1.PodTemplateSpec.newBuilder().setSpec(pod)))
            .build();
    protobuf(all, Kind.CONFIG_MAP, map.toByteString());
    protobuf(all, Kind.JOB, job.toByteString());
    protobuf(
        all,
        Kind.POD,
        V1.Pod.newBuilder().setMetadata(metadata).setSpec(pod).build().toByteString());
  }

  private static void protobuf(List<HttpCall> all, Kind kind, ByteString raw) {
    Runtime.Unknown envelope =
        Runtime.Unknown.newBuilder()
            .setTypeMeta(
                Runtime.TypeMeta.newBuilder().setApiVersion(kind.apiVersion()).setKind(kind.kind()))
            .setRaw(raw)
            .build();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(new byte[] {'k', '8', 's', 0});
    body.writeBytes(envelope.toByteArray());
    all.add(HttpCall.of("POST", collection(kind), PROTOBUF, body.toByteArray()));
    all.add(HttpCall.of("PUT", collection(kind) + "/one", PROTOBUF, body.toByteArray()));
  }
}
