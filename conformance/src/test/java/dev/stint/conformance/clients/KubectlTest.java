package dev.stint.conformance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Command line sessions, as users of a cluster have them.
 *
 * <p>It is slow because each command is a process that opens its own connection.
 */
class KubectlTest {
  private static final String COMPLETE = "--for=condition=complete";
  private static final String TIMEOUT = "--timeout=60s";

  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: pi
        labels: {team: a}
      spec:
        completions: 3
        parallelism: 2
        completionMode: Indexed
        template:
          spec:
            restartPolicy: Never
            containers:
            - name: main
              image: busybox
              command: ["true"]
      """;

  @TempDir static Path directory = Path.of("");
  private static @Nullable ServedApi served;

  @BeforeAll
  static void serve() throws Exception {
    ExternalProgram.require("kubectl");
    served = ServedApi.simulated(directory, StoreOptions.defaults());
  }

  @AfterAll
  static void stop() {
    if (served != null) {
      served.close();
    }
  }

  /** kubectl in a new namespace. */
  private static Session in(String namespace) throws Exception {
    ExternalProgram kubectl = ExternalProgram.kubectl(directory, directory.resolve("kubeconfig"));
    kubectl.run("create", "namespace", namespace).done();
    return new Session(kubectl, namespace);
  }

  private record Session(ExternalProgram kubectl, String namespace) {
    /** Runs a command, given as one text with words separated by spaces. */
    ExternalProgram.Result run(String command, String... more)
        throws IOException, InterruptedException {
      String[] words = ("-n " + namespace + " " + command).split(" ", -1);
      String[] all = Arrays.copyOf(words, words.length + more.length);
      System.arraycopy(more, 0, all, words.length, more.length);
      return kubectl.run(all);
    }

    /** Returns the output of a command that must succeed. */
    String says(String command, String... more) throws IOException, InterruptedException {
      return run(command, more).done().text();
    }

    Session with(String variable, String value) {
      return new Session(kubectl.with(variable, value), namespace);
    }
  }

  private static String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  @Test
  void aJobIsAppliedComparedWaitedForAndShown() throws Exception {
    Session k = in("apply");
    String file = file("apply.yaml", JOB);
    assertThat(k.run("diff -f " + file).status()).isEqualTo(1);
    assertThat(k.says("apply -f " + file)).isEqualTo("job.batch/pi created");
    assertThat(k.says("apply -f " + file)).isEqualTo("job.batch/pi unchanged");
    assertThat(k.says("diff -f " + file)).isEmpty();
    assertThat(k.says("wait %s job/pi %s".formatted(COMPLETE, TIMEOUT))).contains("condition met");
    assertThat(k.says("get job pi -o wide")).contains("Complete", "3/3", "busybox");
    assertThat(k.says("get job pi -o yaml")).contains("completedIndexes: 0-2");
    assertThat(k.says("get job pi -o json")).contains("\"succeeded\": 3");
    assertThat(k.says("get job pi -o name")).isEqualTo("job.batch/pi");
    assertThat(k.says("get job pi -o jsonpath={.status.succeeded}")).isEqualTo("3");
    assertThat(k.says("get jobs -o custom-columns=N:.metadata.name,S:.status.succeeded"))
        .containsPattern("pi +3");
    assertThat(k.says("get pods -o wide")).contains("pi-0-", "pi-1-", "pi-2-", "Completed");
    assertThat(k.says("describe job pi"))
        .contains("0 Active (0 Ready) / 3 Succeeded / 0 Failed", "SuccessfulCreate", "Completed");
    assertThat(k.says("describe pod -l batch.kubernetes.io/job-completion-index=1"))
        .contains("Controlled By:  Job/pi", "Exit Code:    0")
        .doesNotContain("pi-0-");
    assertThat(k.says("get events")).contains("SuccessfulCreate", "Job completed");
    assertThat(k.says("events --for job/pi")).contains("SuccessfulCreate");
    assertThat(k.says("get all")).contains("job.batch/pi", "pod/pi-2-");
  }

  @Test
  void unservedKindsAreRefusedClearly() throws Exception {
    Session k = in("unserved");
    String rollout =
        file("unserved.yaml", "apiVersion: example.com/v1\nkind: Rollout\nmetadata: {name: r}\n");
    assertThat(k.run("apply -f " + rollout).refused().text())
        .contains("no matches for kind \"Rollout\" in version \"example.com/v1\"");
    k.says("run debugged --image=busybox --restart=Never");
    assertThat(k.run("debug --profile=general --image=busybox debugged").refused().text())
        .contains("ephemeral containers are disabled for this cluster");
    assertThat(
            k.run("patch pod debugged --type=merge -p", "{\"metadata\":{\"name\":\"other\"}}")
                .refused()
                .text())
        .contains("the name of the object (other) does not match the name on the URL (debugged)");
    assertThat(k.run("delete namespace default").refused().text())
        .contains("this namespace may not be deleted");
  }

  @Test
  void kindsThatAreOnlyKeptAreShown() throws Exception {
    Session k = in("kept");
    k.says("create deployment web --image=nginx");
    k.says("create service clusterip web --tcp=80:8080");
    assertThat(k.says("get all")).contains("deployment.apps/web", "service/web");
    assertThat(k.says("get deployment web")).containsPattern("web +0/1 +0 +0 ");
    assertThat(k.says("describe service web")).contains("80/TCP", "8080/TCP", "app=web");
    assertThat(k.says("delete deployment,service web")).contains("deployment.apps \"web\" deleted");
  }

  @Test
  void customResourcesAreAppliedChangedAndShown() throws Exception {
    Session k = in("custom");
    String definition =
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: sweeps.kubectl.example.com}
        spec:
          group: kubectl.example.com
          scope: Namespaced
          names: {plural: sweeps, singular: sweep, kind: Sweep, categories: [all]}
          versions:
          - name: v1
            served: true
            storage: true
            subresources: {status: {}}
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec: {type: object, properties: {points: {type: integer, minimum: 1}}}
                  status: {type: object, properties: {done: {type: integer}}}
        """;
    assertThat(k.says("apply -f " + file("definition.yaml", definition))).endsWith(" created");
    String labelled = definition.replace("metadata: {", "metadata: {labels: {team: a}, ");
    assertThat(k.says("apply -f " + file("labelled.yaml", labelled))).endsWith(" configured");
    String sweep =
        "apiVersion: kubectl.example.com/v1\nkind: Sweep\nmetadata: {name: s}\nspec: {points: 3}\n";
    String three = file("three.yaml", sweep);
    String four = file("four.yaml", sweep.replace("3", "4"));
    assertThat(k.says("apply -f " + three)).isEqualTo("sweep.kubectl.example.com/s created");
    assertThat(k.says("apply -f " + three)).isEqualTo("sweep.kubectl.example.com/s unchanged");
    assertThat(k.run("diff -f " + four).status()).isEqualTo(1);
    assertThat(k.says("apply -f " + four)).isEqualTo("sweep.kubectl.example.com/s configured");
    assertThat(k.says("get sweep s -o jsonpath={.spec.points}")).isEqualTo("4");
    k.says("patch sweep s --subresource=status --type=merge -p", "{\"status\":{\"done\":2}}");
    k.says("label sweep s team=b");
    assertThat(k.says("get all")).contains("sweep.kubectl.example.com/s");
    assertThat(k.says("describe sweep s")).contains("Points:  4", "Done:  2", "team=b");
    assertThat(k.says("explain sweep.spec")).contains("points");
    assertThat(k.run("apply -f " + file("none.yaml", sweep.replace("3", "0"))).refused().text())
        .contains("spec.points in body should be greater than or equal to 1");
    k.says("delete -f " + file("definition.yaml", definition));
  }

  @Test
  void fieldsHaveOwnersAndConflictsCanBeForced() throws Exception {
    Session k = in("ownership");
    String mine = file("mine.yaml", JOB);
    String others = file("others.yaml", JOB.replace("team: a", "team: b"));
    k.says("apply --server-side -f " + mine);
    k.says("apply --server-side -f " + mine);
    assertThat(k.run("apply --server-side --field-manager=other -f " + others).refused().text())
        .contains("1 conflict", ".metadata.labels.team");
    k.says("apply --server-side --field-manager=other --force-conflicts -f " + others);
    assertThat(k.says("diff --server-side --field-manager=other -f " + others)).isEmpty();
    assertThat(
            k.says(
                "get job pi --show-managed-fields"
                    + " -o jsonpath={.metadata.managedFields[?(@.operation==\"Apply\")].manager}"))
        .isEqualTo("kubectl other");
  }

  @Test
  void objectsAreLabelledAnnotatedPatchedAndEdited() throws Exception {
    Session k = in("changes");
    k.says("apply -f " + file("changes.yaml", JOB));
    k.says("label job pi x=y");
    assertThat(k.run("label job pi x=z").refused().text()).contains("already has a value");
    k.says("label job pi x=z --overwrite");
    k.says("annotate job pi note=1");
    k.says("annotate job pi note-");
    k.says("patch job pi -p {\"metadata\":{\"labels\":{\"q\":\"r\"}}}");
    k.says(
        "patch job pi --type=json -p",
        "[{\"op\":\"add\",\"path\":\"/metadata/labels/s\",\"value\":\"t\"}]");
    assertThat(k.says("get job pi --show-labels")).contains("q=r,s=t,team=a,x=z");
    assertThat(
            k.run("patch job pi --type=merge -p {\"spec\":{\"completions\":9}}").refused().text())
        .contains("spec.completions");
    assertThat(k.with("KUBE_EDITOR", "sed -i s/x:.z/x:\\ edited/").says("edit job pi"))
        .isEqualTo("job.batch/pi edited");
    assertThat(k.with("KUBE_EDITOR", "sed -i s/busybox/other/").run("edit job pi").refused().text())
        .contains("is invalid");
    assertThat(k.says("get job pi -o jsonpath={.metadata.labels.x}")).isEqualTo("edited");
  }

  @Test
  void jobsAreMadeFromTheCommandLineAndFromCronJobs() throws Exception {
    Session k = in("made");
    k.says("create job one --image=busybox -- echo hi");
    k.says("create cronjob nightly --image=busybox --schedule", "0 3 * * *");
    k.says("create job manual --from=cronjob/nightly");
    k.says("wait %s job --all %s".formatted(COMPLETE, TIMEOUT));
    assertThat(k.says("get job one -o jsonpath={..command}")).isEqualTo("[\"echo\",\"hi\"]");
    assertThat(k.says("get job manual -o jsonpath={.metadata.ownerReferences[*].kind}"))
        .isEqualTo("CronJob");
    assertThat(k.says("get cronjobs")).contains("0 3 * * *", "<none>");
    assertThat(k.says("describe cronjob nightly")).contains("Concurrency Policy:            Allow");
    k.says("run lone --image=x --restart=Never");
    assertThat(k.says("wait --for=jsonpath={.status.phase}=Succeeded pod/lone " + TIMEOUT))
        .contains("condition met");
    assertThat(k.run("create job one --image=busybox").refused().text()).contains("already exists");
    assertThat(k.run("get job nope").refused().text())
        .isEqualTo("Error from server (NotFound): jobs.batch \"nope\" not found");
  }

  @Test
  void jobsAreDeletedWithTheirPodsAfterThemOrWithoutThem() throws Exception {
    Session k = in("deletion");
    for (String name : new String[] {"back", "fore", "orphaning"}) {
      k.says("create job %s --image=busybox".formatted(name));
    }
    k.says("wait %s job --all %s".formatted(COMPLETE, TIMEOUT));
    k.says("delete job fore --cascade=foreground");
    assertThat(k.says("get pods -l job-name=fore -o name")).isEmpty();
    k.says("delete job back");
    k.says("wait --for=delete pod -l job-name=back " + TIMEOUT);
    k.says("delete job orphaning --cascade=orphan");
    assertThat(k.says("get pods -o name")).startsWith("pod/orphaning-").doesNotContain("\n");
    k.says("delete pods -l job-name=orphaning --now");
    k.says("create job a --image=x");
    k.says("create job b --image=x");
    assertThat(k.says("delete jobs --all")).contains("\"a\" deleted", "\"b\" deleted");
    assertThat(k.says("delete job a --ignore-not-found")).isEmpty();
    k.says("run lone --image=x --restart=Never");
    assertThat(k.says("delete pod lone --force --grace-period=0")).contains("force deleted");
    k.says("create -f " + file("replace.yaml", JOB));
    assertThat(k.says("replace --force -f " + directory.resolve("replace.yaml")))
        .contains("replaced");
    k.says("delete namespace deletion " + TIMEOUT);
  }

  @Test
  void listsComeInPagesSelectedAndSorted() throws Exception {
    Session k = in("lists");
    for (String name : new String[] {"c", "a", "e", "b", "d"}) {
      k.says("create job %s --image=busybox".formatted(name));
      k.says("label job %s odd=%s".formatted(name, "ace".contains(name)));
    }
    assertThat(k.says("get jobs --chunk-size=2 -o name"))
        .isEqualTo("job.batch/a\njob.batch/b\njob.batch/c\njob.batch/d\njob.batch/e");
    assertThat(k.says("get jobs -A --chunk-size=2")).contains("lists ");
    assertThat(k.says("get jobs --sort-by=.metadata.resourceVersion -o name").lines()).hasSize(5);
    assertThat(k.says("get jobs -o name -l", "odd in (true,maybe)").lines()).hasSize(3);
    assertThat(k.says("get jobs -o name -l odd=false --field-selector=metadata.name!=b"))
        .isEqualTo("job.batch/d");
    k.says("wait %s job --all %s".formatted(COMPLETE, TIMEOUT));
    assertThat(k.says("get pods -o name --field-selector=status.phase=Succeeded").lines())
        .hasSize(5);
    assertThat(k.run("get jobs --field-selector=foo=bar").refused().text())
        .contains("field label not supported: foo");
  }

  @Test
  void watchesShowWhatHappens() throws Exception {
    Session k = in("watches");
    k.says("create job one --image=busybox");
    assertThat(
            k.kubectl()
                .lineWith(
                    "Complete", "-n", "watches", "get", "jobs", "-w", "--output-watch-events"))
        .contains("one", "1/1");
  }

  @Test
  void theApiDescribesItself() throws Exception {
    Session k = in("described");
    assertThat(k.says("explain job.spec.successPolicy")).contains("rules", "SuccessPolicyRule");
    assertThat(k.says("explain job.spec.successPolicy --recursive"))
        .contains("succeededCount", "succeededIndexes");
    assertThat(k.says("api-resources")).contains("cronjobs", "leases", "clusterrolebindings");
    assertThat(k.says("api-versions")).contains("batch/v1", "coordination.k8s.io/v1");
    assertThat(k.says("version")).contains("Server Version: v1.36");
    assertThat(k.says("config view")).contains("server: https://127.0.0.1:");
    assertThat(k.says("create -o name --dry-run=server -f " + file("dry.yaml", JOB)))
        .isEqualTo("job.batch/pi");
    assertThat(
            k.run("create -f " + file("typo.yaml", JOB.replace("completions:", "completion:")))
                .refused()
                .text())
        .contains("completion");
  }

  @Test
  void accessIsGrantedAndTestedByImpersonation() throws Exception {
    Session k = in("access");
    String robot = "system:serviceaccount:access:robot";
    k.says("create serviceaccount robot");
    k.says("create role reader --verb=get,list --resource=jobs.batch");
    k.says("create rolebinding robots-read --role=reader --serviceaccount=access:robot");
    k.says("create clusterrole sees-nodes --verb=get,list --resource=nodes");
    k.says(
        "create clusterrolebinding robot-nodes --clusterrole=sees-nodes --serviceaccount=access:robot");
    assertThat(k.says("auth whoami")).contains("system:masters");
    assertThat(k.says("auth can-i --list")).contains("*.*");
    assertThat(k.says("auth can-i list jobs --as=" + robot)).isEqualTo("yes");
    assertThat(k.run("auth can-i list pods --as=" + robot).refused().text()).isEqualTo("no");
    assertThat(k.says("auth can-i --list --as=" + robot)).contains("jobs.batch", "nodes");
    assertThat(k.run("get pods --as=" + robot).refused().text())
        .contains("Forbidden", robot, "cannot list resource \"pods\"");
    String token = k.says("create token robot");
    assertThat(token.split("\\.", -1)).hasSize(3);
    k.says("get jobs --as=%s".formatted(robot));
    assertThat(k.says("get nodes -o name --as=" + robot)).isEqualTo("node/localhost");
  }

  @Test
  void theNodeIsCordonedTaintedAndDrained() throws Exception {
    Session k = in("node");
    k.says("cordon localhost");
    assertThat(k.says("get node localhost")).contains("Ready,SchedulingDisabled");
    k.says("uncordon localhost");
    k.says("taint node localhost a=b:NoSchedule");
    k.says("taint node localhost a-");
    assertThat(k.says("describe node localhost")).contains("InternalIP:  127.0.0.1");
    assertThat(k.says("get node localhost")).doesNotContain("SchedulingDisabled");
  }

  @Test
  void configurationIsKept() throws Exception {
    Session k = in("configuration");
    k.says("create configmap settings --from-literal=a=b");
    k.says("create secret generic password --from-literal=p=s3cret");
    assertThat(k.says("get configmap settings -o jsonpath={.data.a}")).isEqualTo("b");
    assertThat(k.says("get secret password -o jsonpath={.data.p}")).isEqualTo("czNjcmV0");
    k.says("create priorityclass urgent --value=5");
    assertThat(k.says("get priorityclass urgent")).contains("5");
  }
}
