package dev.stint.apiserver.http.pod;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.QueryParameters;
import dev.stint.apiserver.http.handler.BlockingCall;
import dev.stint.apiserver.pods.PodAccess;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Handles commands in pods ({@code exec}), and connections to their output ({@code attach}). */
public final class PodExecHandler {
  private final ApiServer api;
  private final @Nullable PodAccess access;

  /**
   * @param access null if no pods run here
   */
  public PodExecHandler(ApiServer api, @Nullable PodAccess access) {
    this.api = api;
    this.access = access;
  }

  public ApiResponse exec(Call call, ObjectRef ref) {
    QueryParameters query = call.query();
    List<String> command = query.all("command");
    if (command.isEmpty() || command.getFirst().isEmpty()) {
      throw bad("you must specify at least 1 command for the container");
    }
    Target target = target(call, ref, "exec");
    boolean tty = query.flag("tty");
    return upgraded(
        call,
        new RemoteCommand(
            () -> target.access().exec(target.pod(), target.container(), command, tty),
            streams(query)));
  }

  public ApiResponse attach(Call call, ObjectRef ref) {
    Target target = target(call, ref, "attach");
    if (call.query().flag("stdin")) {
      throw bad(
          "container %s of pod %s has no stdin to attach to; attach without -i, or use exec"
              .formatted(target.container(), ref.name()));
    }
    return upgraded(
        call,
        new RemoteCommand(
            () -> target.access().attach(target.pod(), target.container()), streams(call.query())));
  }

  /** The container that a request addresses. */
  private record Target(PodAccess access, KubeObject pod, String container) {}

  private Target target(Call call, ObjectRef ref, String subresource) {
    KubeObject pod = BlockingCall.on(api.registry().get(ref));
    String container = ContainerLookup.of(pod, call.query().text("container"));
    if (Json.text(pod.spec(), "nodeName") == null) {
      throw bad("pod %s does not have a host assigned".formatted(ref.name()));
    }
    if (access == null) {
      throw nobodyRuns(subresource, ref);
    }
    QueryParameters query = call.query();
    if (!query.flag("stdin") && !query.flag("stdout") && !query.flag("stderr")) {
      throw bad("you must specify at least 1 of stdin, stdout, stderr");
    }
    return new Target(access, pod, container);
  }

  private static RemoteCommand.Streams streams(QueryParameters query) {
    return new RemoteCommand.Streams(
        query.flag("stdin"), query.flag("stdout"), query.flag("stderr"));
  }

  private static ApiResponse upgraded(Call call, RemoteCommand command) {
    if (!WebSocketUpgrade.isRequested(call)) {
      throw bad(
          call.header("Upgrade").isEmpty()
              ? "Upgrade request required"
              : "unable to upgrade: this server supports only WebSockets, which kubectl uses from 1.31"
                  + " on");
    }
    return new ApiResponse.Upgraded(
        WebSocketUpgrade.protocol(call, ChannelProtocol.names()), command);
  }

  /** Returns the refusal if no process of this machine runs the pod. */
  static ClusterException nobodyRuns(String what, ObjectRef ref) {
    return new ClusterException(
        Reason.NOT_FOUND,
        "there is no %s of pod \"%s\": this server runs no pods as processes (see --runtime)"
            .formatted(what, ref.name()));
  }

  private static ClusterException bad(String message) {
    return new ClusterException(Reason.BAD_REQUEST, message);
  }
}
