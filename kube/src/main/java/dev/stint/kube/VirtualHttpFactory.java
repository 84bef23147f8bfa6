package dev.stint.kube;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import java.net.http.HttpClient;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The factory of one client of the JDK, whose tasks run on virtual threads: fabric8's own would
 * keep a thread of the system for each request under way.
 */
final class VirtualHttpFactory extends JdkHttpClientFactory {
  private final ExecutorService tasks = Executors.newVirtualThreadPerTaskExecutor();

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    return HttpClient.newBuilder().executor(tasks);
  }

  @Override
  protected void closeHttpClient(JdkHttpClientImpl client) {
    tasks.shutdownNow();
  }
}
