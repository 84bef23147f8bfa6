package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The events of a watch, line by line. */
final class SeenEvents implements WatchHandler {
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  @Override
  public void onEvent(WatchEvent event) {
    lines.add(event.type() + " " + event.object().kindName() + " " + event.object().name());
  }

  @Override
  public void onClosed(@Nullable ClusterException cause) {
    lines.add("closed " + (cause == null ? "" : cause.reason() + ": " + cause.getMessage()));
  }

  /** Waits for the next line and returns it. */
  String next() throws InterruptedException {
    String line = lines.poll(10, TimeUnit.SECONDS);
    return line == null ? "nothing within 10 s" : line;
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }
}
