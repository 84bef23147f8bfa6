package dev.stint.bench.robustness;

import dev.stint.embedded.ApiEndpoint;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.store.Entry;
import dev.stint.store.StorageEngine;
import dev.stint.store.StoreEvent;
import dev.stint.store.StoreException;
import dev.stint.store.engine.SimulatedEngine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A server in the test's process. Its death is a loss of power: what was not synced is lost. */
final class InProcessServer implements TestedServer {
  /** Half of all unsynced batches survive: those of clients are the last, and some are lost. */
  private static final RandomGenerator HALF =
      new RandomGenerator() {
        @Override
        public int nextInt(int bound) {
          return bound / 2;
        }

        @Override
        public long nextLong() {
          throw new UnsupportedOperationException();
        }
      };

  private final Path keys;
  private final HistoryRecorder recorder;
  private final UnaryOperator<TestedApi> decorator;
  private final boolean syncs;
  private SimulatedEngine engine = new SimulatedEngine();
  private int port;
  private @Nullable ControlPlane plane;
  private @Nullable ApiEndpoint endpoint;

  /**
   * @param decorator breaks what clients see
   * @param syncs false if it acknowledges before it syncs
   */
  InProcessServer(
      Path keys, HistoryRecorder recorder, UnaryOperator<TestedApi> decorator, boolean syncs) {
    this.keys = keys;
    this.recorder = recorder;
    this.decorator = decorator;
    this.syncs = syncs;
  }

  /** An engine that answers a sync without one. */
  private record UnsyncedEngine(SimulatedEngine engine) implements StorageEngine {
    @Override
    public void append(List<StoreEvent> batch) throws IOException {
      engine.append(batch);
    }

    @Override
    public void sync() {}

    @Override
    public void reserve(long revision) {}

    @Override
    public long readBack(Consumer<Entry> consumer) {
      return engine.readBack(consumer);
    }

    @Override
    public void close() {}
  }

  @Override
  public void start() throws IOException {
    recorder.onStart();
    try {
      StorageEngine used = syncs ? engine : new UnsyncedEngine(engine);
      ControlPlane started = new ControlPlane(used, ControlPlaneOptions.DEFAULT);
      plane = started;
      InetSocketAddress address = InetSocketAddress.createUnresolved("127.0.0.1", port);
      ApiEndpoint opened =
          ApiEndpoint.open(
              started,
              new ApiEndpoint.Preparation(keys, address, InstantSource.system()),
              null,
              null);
      endpoint = opened;
      port = URI.create(opened.url()).getPort();
      // Else a crash would lose what the start wrote rather than what clients did.
      engine.sync();
    } catch (StoreException | GeneralSecurityException fault) {
      throw new IOException(fault);
    }
  }

  @Override
  public void kill() {
    if (plane != null && endpoint != null) {
      engine = engine.crash(HALF);
      endpoint.close();
      plane.close();
      plane = null;
      recorder.onDeath();
    }
  }

  @Override
  public boolean isAlive() {
    return plane != null;
  }

  @Override
  public boolean supports(FaultKind kind) {
    return kind == FaultKind.KILL;
  }

  @Override
  public void inject(FaultKind kind, RandomGenerator chance) throws IOException {
    kill();
    start();
  }

  @Override
  public TestedApi connect() throws IOException {
    String token = Files.readString(keys.resolve("admin.token")).strip();
    return decorator.apply(
        new HttpsApi("https://127.0.0.1:" + port, token, HttpClient.Version.HTTP_1_1));
  }

  @Override
  public void close() {
    kill();
  }
}
