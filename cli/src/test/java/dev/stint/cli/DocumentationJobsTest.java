package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.runner.process.isolation.MachineCapabilities;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Jobs as the pages of Kubernetes' documentation show them, with commands of this machine in place
 * of those of images.
 */
@Execution(ExecutionMode.CONCURRENT)
class DocumentationJobsTest {
  @TempDir private Path directory;

  @BeforeEach
  void needsMounts() {
    assumeTrue(MachineCapabilities.here().whyNoMounts().isEmpty());
  }

  /** "Job with Pod-to-Pod Communication", with getent in place of ping. */
  @Test
  void podsOfAnIndexedJobFindEachOtherByName() throws Exception {
    String script =
        """
        for i in 0 1 2
        do
          gotStatus="-1"
          wantStatus="0"
          while [ $gotStatus -ne $wantStatus ]
          do
            getent hosts example-job-${i}.headless-svc > /dev/null 2>&1
            gotStatus=$?
            if [ $gotStatus -ne $wantStatus ]; then
              sleep 0.1
            fi
          done
          echo "found example-job-${i}.headless-svc from $HOSTNAME" >> TRACE
        done
        """;
    run(
        """
        apiVersion: v1
        kind: Service
        metadata:
          name: headless-svc
        spec:
          clusterIP: None
          selector:
            job-name: example-job
        ---
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: example-job
        spec:
          completions: 3
          parallelism: 3
          completionMode: Indexed
          template:
            spec:
              subdomain: headless-svc
              restartPolicy: Never
              containers:
              - name: example-workload
                image: bash:latest
                command:
                - bash
                - -c
                - |
        """
            + script.indent(18));
    assertThat(Files.readAllLines(directory.resolve("trace")))
        .hasSize(9)
        .contains("found example-job-2.headless-svc from example-job-0");
  }

  /** "Indexed Job for Parallel Processing with Static Work Assignment". */
  @Test
  void anInitContainerChoosesTheWorkOfAnIndex() throws Exception {
    run(
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: indexed-job
        spec:
          completions: 5
          parallelism: 3
          completionMode: Indexed
          template:
            spec:
              restartPolicy: Never
              initContainers:
              - name: input
                image: docker.io/library/bash
                command:
                - bash
                - -c
                - |
                  items=(foo bar baz qux xyz)
                  echo ${items[$JOB_COMPLETION_INDEX]} > /input/data.txt
                volumeMounts:
                - mountPath: /input
                  name: input
              containers:
              - name: worker
                image: docker.io/library/busybox
                command: [sh, -c, "rev /input/data.txt >> TRACE"]
                volumeMounts:
                - mountPath: /input
                  name: input
              volumes:
              - name: input
                emptyDir: {}
        """);
    assertThat(Files.readAllLines(directory.resolve("trace")))
        .containsExactlyInAnyOrder("oof", "rab", "zab", "xuq", "zyx");
  }

  /** "Define Environment Variable Values Using An Init Container", as a Job. */
  @Test
  void anInitContainerDefinesVariables() throws Exception {
    run(
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: envfile
        spec:
          template:
            spec:
              restartPolicy: Never
              initContainers:
              - name: setup-envfile
                image: nginx
                command: [sh, -c, "printf \\"DB_ADDRESS='address'\\\\nREST='endpoint'\\\\n\\" > /data/config.env"]
                volumeMounts:
                - name: config
                  mountPath: /data
              containers:
              - name: use-envfile
                image: nginx
                command: [sh, -c, 'echo "$DB_ADDRESS $REST" >> TRACE']
                env:
                - name: DB_ADDRESS
                  valueFrom:
                    fileKeyRef: {path: config.env, volumeName: config, key: DB_ADDRESS, optional: false}
              volumes:
              - name: config
                emptyDir: {}
        """);
    assertThat(Files.readAllLines(directory.resolve("trace"))).containsExactly("address ");
  }

  /** "Configure a Pod to Use a PersistentVolume for Storage", as a Job. */
  @Test
  void aClaimKeepsWhatAJobHasWritten() throws Exception {
    run(
        """
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata:
          name: task-pv-claim
        spec:
          storageClassName: manual
          accessModes:
            - ReadWriteOnce
          resources:
            requests:
              storage: 3Gi
        ---
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: task-pv
        spec:
          template:
            spec:
              restartPolicy: Never
              volumes:
                - name: task-pv-storage
                  persistentVolumeClaim:
                    claimName: task-pv-claim
              containers:
                - name: task-pv-container
                  image: nginx
                  workingDir: /usr/share/nginx/html
                  command: [sh, -c, "echo 'Hello from Kubernetes storage' > index.html"]
                  volumeMounts:
                    - mountPath: "/usr/share/nginx/html"
                      name: task-pv-storage
        """);
    assertThat(directory.resolve("data/volumes/default/task-pv-claim/index.html"))
        .hasContent("Hello from Kubernetes storage");
  }

  @Test
  void aClaimThatIsACopyIsRefused() throws Exception {
    Path file = directory.resolve("claim.yaml");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {name: c}
        spec:
          volumeMode: Block
          dataSource: {kind: PersistentVolumeClaim, name: other}
        """);
    assertThat(run(2, file).errText())
        .contains("claim.yaml:5: spec.volumeMode: must be", "claim.yaml:6: spec.dataSource: ");
  }

  @Test
  void aServiceWithAnAddressIsRefused() throws Exception {
    Path file = directory.resolve("service.yaml");
    Files.writeString(
        file, "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: []}\n");
    assertThat(run(2, file).errText()).contains("service.yaml:4: spec.clusterIP: must be None; ");
  }

  private void run(String manifest) throws Exception {
    Path file = directory.resolve("job.yaml");
    Files.writeString(file, manifest.replace("TRACE", directory.resolve("trace").toString()));
    run(0, file);
  }

  private Recorded run(int status, Path file) {
    Recorded recorded = Recorded.plain();
    int ended =
        recorded.run(
            "run",
            file.toString(),
            "--runtime",
            "process",
            "--data",
            directory.resolve("data").toString());
    assertThat(ended).as(recorded.errText()).isEqualTo(status);
    return recorded;
  }
}
