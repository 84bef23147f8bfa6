package dev.stint.harness;

import dev.stint.cluster.EventLoop;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Instant;

/**
 * An API in memory, and an event loop and time that stand still until the test lets them continue.
 */
public final class TestWorld extends TestLoop {
  public final FakeCluster api;

  /** The event loop of components in this world. */
  public final EventLoop eventLoop;

  public TestWorld() {
    this("2026-01-31T12:00:00Z");
  }

  public TestWorld(String start) {
    super(new TestTime(Instant.parse(start)));
    this.api = new FakeCluster(this, time);
    this.eventLoop = eventLoop();
  }

  public boolean exists(ObjectRef ref) {
    return api.peek(ref) != null;
  }

  public KubeObject see(ObjectRef ref) {
    KubeObject found = api.peek(ref);
    if (found == null) {
      throw new AssertionError(ref + " is not there");
    }
    return found;
  }

  /**
   * Changes an object right after the next update of a status is stored. News of the change comes,
   * but none of that update.
   */
  public void changeAsAStatusIsStored(ObjectRef ref, String patch) {
    api.before(Fault.once("updateStatus", api::holdNews));
    api.after(
        Fault.once(
            "updateStatus",
            () -> {
              api.resumeNews();
              api.change(ref, patch);
            }));
  }

  public static ObjectRef job(String name) {
    return new ObjectRef(Kind.JOB, "default", name);
  }

  public static ObjectRef pod(String name) {
    return new ObjectRef(Kind.POD, "default", name);
  }

  public static ObjectRef configMap(String name) {
    return new ObjectRef(Kind.CONFIG_MAP, "default", name);
  }

  public static ObjectRef namespace(String name) {
    return new ObjectRef(Kind.NAMESPACE, "", name);
  }

  /** Adds a Job, and a running pod of it for each index. */
  public KubeObject addRunning(JobBuilder builder, int indexes) {
    KubeObject job = api.add(builder);
    for (int i = 0; i < indexes; i++) {
      api.add(PodBuilder.of(job, job.name() + "-" + i).index(i).running());
    }
    return job;
  }

  /** Adds an object of any kind, with metadata members in JSON with single quotes. */
  public KubeObject add(ObjectRef ref, String metadata) {
    return add(ref, metadata, "");
  }

  public KubeObject add(ObjectRef ref, String metadata, String rest) {
    api.define(ref.kind());
    return api.add(
        "{'apiVersion': '%s', 'kind': '%s', 'metadata': {'name': '%s'%s%s}%s}"
            .formatted(
                ref.kind().apiVersion(),
                ref.kind().kind(),
                ref.name(),
                ref.namespace().isEmpty() ? "" : ", 'namespace': '" + ref.namespace() + "'",
                metadata.isEmpty() ? "" : ", " + metadata,
                rest.isEmpty() ? "" : ", " + rest));
  }
}
