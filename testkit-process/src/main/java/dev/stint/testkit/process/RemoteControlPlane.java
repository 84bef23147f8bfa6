package dev.stint.testkit.process;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A control plane in a JVM of its own, which is found and started by itself and shared by all tests
 * of this JVM. Each control plane knows nothing of the others.
 *
 * <pre>{@code
 * try (RemoteControlPlane stint = RemoteControlPlane.builder().crds("crds/*.yaml").start()) {
 *   var client = new KubernetesClientBuilder()
 *       .withConfig(Config.fromKubeconfig(stint.kubeconfig())).build();
 *   stint.pods().onIndexes("3").exits(42);
 *   stint.advance(Duration.ofMinutes(10));
 * }
 * }</pre>
 */
public final class RemoteControlPlane implements AutoCloseable, InstantSource {
  private final ServerConnection server;
  private final String id = UUID.randomUUID().toString();

  private RemoteControlPlane(ServerConnection server) {
    this.server = server;
  }

  /** Returns the defaults: simulated time from 2026-01-01 on. */
  public static Builder builder() {
    return new Builder(true, Instant.parse("2026-01-01T00:00:00Z"), 1, List.of(), List.of());
  }

  /**
   * The options of a control plane.
   *
   * @param simulatedTime false for real time
   * @param beginning of simulated time
   * @param seed of names and uids
   * @param crds patterns of files with definitions of custom resources, on the test's class path or
   *     relative to the working directory
   * @param manifests patterns of files with objects that exist when the test begins
   */
  public record Builder(
      boolean simulatedTime,
      Instant beginning,
      long seed,
      List<String> crds,
      List<String> manifests) {
    public Builder {
      crds = List.copyOf(crds);
      manifests = List.copyOf(manifests);
    }

    /** Returns the same options in real time. */
    public Builder inRealTime() {
      return new Builder(false, beginning, seed, crds, manifests);
    }

    /** Returns the same options with another start of simulated time. */
    public Builder startingAt(Instant then) {
      return new Builder(simulatedTime, then, seed, crds, manifests);
    }

    /** Returns the same options with another seed. */
    public Builder withSeed(long other) {
      return new Builder(simulatedTime, beginning, other, crds, manifests);
    }

    /** Returns the same options with the definitions in these files. */
    public Builder crds(String... patterns) {
      return new Builder(simulatedTime, beginning, seed, List.of(patterns), manifests);
    }

    /** Returns the same options with the objects in these files. */
    public Builder manifests(String... patterns) {
      return new Builder(simulatedTime, beginning, seed, crds, List.of(patterns));
    }

    /** Starts the control plane. */
    @SuppressWarnings("resource") // The caller closes it.
    public RemoteControlPlane start() {
      RemoteControlPlane plane = new RemoteControlPlane(ServerProcess.connect());
      List<String> request = new ArrayList<>();
      request.add(simulatedTime ? "simulated" : "real");
      request.add(beginning.toString());
      request.add(Long.toString(seed));
      request.addAll(crds);
      plane.ask("create", request.toArray(String[]::new));
      try {
        plane.applyFiles(manifests.toArray(String[]::new));
        return plane;
      } catch (RuntimeException refusal) {
        plane.close();
        throw refusal;
      }
    }
  }

  String ask(String verb, String... given) {
    List<String> request = new ArrayList<>();
    request.add(verb);
    request.add(id);
    request.addAll(List.of(given));
    return server.ask(request);
  }

  /** Returns the test's namespace, which clients use by default. */
  public String namespace() {
    return ask("namespace");
  }

  /** Returns the text of a kubeconfig for any client. */
  public String kubeconfig() {
    return ask("kubeconfig");
  }

  /** Creates or updates all objects in a YAML or JSON text. */
  public void apply(String text) {
    ask("apply", text);
  }

  /**
   * Creates or updates all objects in the files that match these patterns, such as {@code
   * manifests/*.yaml}, on the test's class path or relative to the working directory.
   */
  public void applyFiles(String... patterns) {
    if (patterns.length > 0) {
      ask("applyFiles", patterns);
    }
  }

  /** Applies the CustomResourceDefinitions in a YAML or JSON text; they are served afterwards. */
  public void applyCrds(String text) {
    ask("crd", text);
  }

  /** Returns the control plane's time. */
  @Override
  public Instant instant() {
    return Instant.parse(ask("instant"));
  }

  /** Advances simulated time, and returns once all that follows is done. */
  public void advance(Duration time) {
    ask("advance", time.toString());
  }

  /** Advances simulated time to a point in time. */
  public void advanceTo(Instant then) {
    ask("advanceTo", then.toString());
  }

  /** Returns when nothing is left to do now. */
  public void settle() {
    ask("settle");
  }

  /** Begins a rule for what pods do. */
  public RemotePods pods() {
    return new RemotePods(this, "", "", "");
  }

  /** Forgets all rules for pods. */
  public void clearPods() {
    ask("clearPods");
  }

  /** Begins a rule for the faults of the next requests of clients. */
  public RemoteFaults faults(int next) {
    return new RemoteFaults(this, "clients", next, "", "");
  }

  /** Ends all watches of clients in the middle of their streams. */
  public void dropWatches() {
    ask("dropWatches", "clients");
  }

  /** Removes all faults. */
  public void clearFaults() {
    ask("clearFaults");
  }

  @Override
  public void close() {
    ask("close");
  }
}
