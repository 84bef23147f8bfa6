package dev.stint.runner.runtime;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks host names up on a few threads of its own: a resolver that does not answer blocks the
 * thread that asks it, and a virtual one would keep its carrier from all others.
 */
final class HostLookup {
  private static final int THREADS = 8;
  private static final int WAITING = 1_000;

  private final Resolver resolver;
  private final Map<String, CompletableFuture<InetAddress>> current = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          10,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING),
          Thread.ofPlatform().daemon().name("stint-lookup").factory());

  /** Finds the address of a host. Blocks. */
  interface Resolver {
    InetAddress address(String host) throws UnknownHostException;
  }

  HostLookup(Resolver resolver) {
    this.resolver = resolver;
    threads.allowCoreThreadTimeOut(true);
  }

  /** Returns the address of a host. Blocks, but not the carrier of a virtual thread. */
  InetAddress address(String host) throws IOException {
    try {
      return InetAddress.ofLiteral(host);
    } catch (IllegalArgumentException name) {
      return lookedUp(host);
    }
  }

  private InetAddress lookedUp(String host) throws IOException {
    CompletableFuture<InetAddress> mine = new CompletableFuture<>();
    CompletableFuture<InetAddress> known = current.putIfAbsent(host, mine);
    if (known == null) {
      begin(host, mine);
    }
    try {
      return (known == null ? mine : known).get();
    } catch (ExecutionException failed) {
      Throwable why = Objects.requireNonNullElse(failed.getCause(), failed);
      throw new IOException(host + ": " + why.getMessage(), failed);
    } catch (InterruptedException cancelled) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("cancelled");
    }
  }

  private void begin(String host, CompletableFuture<InetAddress> result) {
    Runnable lookup =
        () -> {
          try {
            result.complete(resolver.address(host));
          } catch (UnknownHostException | RuntimeException fault) {
            result.completeExceptionally(new IOException("the name is unknown", fault));
          }
        };
    result.whenComplete((_, _) -> current.remove(host, result));
    try {
      threads.execute(lookup);
    } catch (RejectedExecutionException full) {
      result.completeExceptionally(new IOException("too many names are being looked up", full));
    }
  }
}
