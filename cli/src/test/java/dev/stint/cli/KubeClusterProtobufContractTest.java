package dev.stint.cli;

import dev.stint.cluster.Cluster;
import dev.stint.harness.RemoteClusterContract;
import dev.stint.harness.TestTime;
import dev.stint.kube.ContentType;
import dev.stint.kube.KubeCluster;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A real cluster's client, against the API server over HTTPS, in protobuf. */
class KubeClusterProtobufContractTest extends RemoteClusterContract {
  private static FarCluster far;
  private static KubeCluster cluster;

  @BeforeAll
  static void open(@TempDir Path directory) throws Exception {
    far = new FarCluster(directory, null, LOG_EVENTS);
    cluster = KubeCluster.of(far.kubeconfig(), null, ContentType.PROTOBUF, new TestTime());
  }

  @AfterAll
  static void close() {
    cluster.close();
    far.close();
  }

  @Override
  protected Cluster cluster() {
    return cluster;
  }

  @Override
  protected Cluster server() {
    return far.cluster();
  }
}
