package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.embedded.ControllerName;
import dev.stint.embedded.RemoteControllers;
import dev.stint.embedded.ThreadTimers;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.RetryingCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A controller needs only what a pod knows of its own cluster, over HTTPS. */
class InClusterTest {
  @TempDir private Path directory;
  private Path account;
  private FarCluster far;
  private ThreadTimers timers;
  private KubeCluster cluster;

  @BeforeEach
  void start() throws Exception {
    far = new FarCluster(directory, Duration.ofMillis(20), 10_000);
    account = Files.createDirectory(directory.resolve("serviceaccount"));
    timers = new ThreadTimers();
    cluster = far.inPod(new ObjectRef(Kind.SERVICE_ACCOUNT, "default", "stint"), account, timers);
    bind();
  }

  @AfterEach
  void stop() {
    cluster.close();
    timers.close();
    far.close();
  }

  private void bind() throws Exception {
    far.cluster()
        .create(
            object(
                "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'ClusterRole',"
                    + "'metadata':{'name':'stint'},'rules':["
                    + "{'apiGroups':['batch'],'resources':['jobs'],"
                    + "'verbs':['get','list','watch']},"
                    + "{'apiGroups':['batch'],'resources':['jobs/status'],'verbs':['update']},"
                    + "{'apiGroups':[''],'resources':['pods'],"
                    + "'verbs':['get','list','watch','create','patch','delete']},"
                    + "{'apiGroups':[''],'resources':['events'],'verbs':['create','patch']}]}"))
        .get();
    far.cluster()
        .create(
            object(
                "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'ClusterRoleBinding',"
                    + "'metadata':{'name':'stint'},"
                    + "'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole',"
                    + "'name':'stint'},'subjects':[{'kind':'ServiceAccount','name':'stint',"
                    + "'namespace':'default'}]}"))
        .get();
  }

  private static KubeObject object(String text) {
    return KubeObject.of(Json.parse(text.replace('\'', '"')));
  }

  @Test
  void theControllerUsesTheServiceAccountOfThePod() throws Exception {
    RemoteControllers controllers =
        new RemoteControllers(
            cluster,
            timers,
            new RemoteControllers.Options(
                Set.of(ControllerName.JOB),
                JobControllerOptions.DEFAULT,
                null,
                RetryingCluster.Options.DEFAULT,
                Metrics.NONE));
    controllers.start();
    try {
      ObjectRef job = far.create("inside", 5, 5, "");
      far.untilComplete(job);
      assertThat(far.indexes()).containsExactly(0, 1, 2, 3, 4);
    } finally {
      controllers.close();
    }
  }

  @Test
  void aReplacedTokenIsUsedFromTheNextRequestOn() throws Exception {
    ObjectRef job = far.create("read", 1, 1, "");
    assertThat(cluster.get(job).get().name()).isEqualTo("read");
    String good = Files.readString(account.resolve("token"));
    replaceToken("worn out");
    assertThat(cluster.get(job))
        .failsWithin(Duration.ofMinutes(1))
        .withThrowableThat()
        .withMessageContaining("Unauthorized");
    replaceToken(good);
    assertThat(cluster.get(job).get().name()).isEqualTo("read");
  }

  private void replaceToken(String text) throws IOException {
    Files.writeString(account.resolve("token"), text);
  }
}
