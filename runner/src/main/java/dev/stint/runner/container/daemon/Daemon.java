package dev.stint.runner.container.daemon;

import com.github.dockerjava.transport.DockerHttpClient;
import com.github.dockerjava.transport.DockerHttpClient.Request;
import com.github.dockerjava.transport.DockerHttpClient.Request.Method;
import com.github.dockerjava.transport.DockerHttpClient.Response;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import dev.stint.model.Json;
import dev.stint.runner.container.daemon.DaemonException.Reason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Requests of the Docker Engine API over a socket of this machine. Every method waits for its
 * answer. Paths carry no version, so that each daemon speaks its own; the requests used here have
 * been the same since 1.25.
 */
public final class Daemon implements AutoCloseable {
  /** A kubelet's {@code runtimeRequestTimeout}. */
  public static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(2);

  /** A request and its whole answer. */
  @FunctionalInterface
  private interface Answer<T> {
    T get() throws DaemonException;
  }

  private final DockerHttpClient http;
  private final Duration patience;

  /**
   * @param patience the timeout for an answer that is not a stream
   */
  public Daemon(Path socket, Duration patience) {
    this.patience = patience;
    http =
        new ZerodepDockerHttpClient.Builder()
            .dockerHost(URI.create("unix://" + socket.toAbsolutePath().toUri().getRawPath()))
            .build();
  }

  /**
   * The daemon's version.
   *
   * @param name for people
   * @param tellsOutOfMemory true if it knows which containers the system killed for lack of memory
   */
  public record Version(
      String name, String architecture, boolean podman, boolean tellsOutOfMemory) {}

  /** A container in a list. */
  public record Listed(String id, ContainerLabels labels, ContainerInspection.State state) {}

  /**
   * The state of a further command in a container.
   *
   * @param exitCode null if it has not ended; before it starts, Podman has one, too
   * @param pid the process, as the daemon sees it; 0 if there is none yet
   */
  public record ExecState(boolean running, @Nullable Integer exitCode, long pid) {}

  public Version version() throws DaemonException {
    ObjectNode json = object(call(Method.GET, "/version", null));
    boolean podman = json.toString().contains("Podman");
    return new Version(
        (podman ? "Podman " : "Docker ") + Json.text(json, "Version"),
        String.valueOf(Json.text(json, "Arch")),
        podman,
        // Podman asks control groups of version 1 in a way that kernels no longer support.
        !podman || !"1".equals(Json.text(call(Method.GET, "/info", null), "CgroupVersion")));
  }

  /** Lists all containers with a label, whatever their state. */
  public List<Listed> list(String label, String value) throws DaemonException {
    String filters = encoded("{\"label\":[" + Json.text(label + "=" + value) + "]}");
    List<Listed> found = new ArrayList<>();
    for (JsonNode each : call(Method.GET, "/containers/json?all=true&filters=" + filters, null)) {
      ContainerLabels labels = ContainerLabels.read(Json.objectAt(each, "Labels"));
      if (labels != null) {
        String state = String.valueOf(Json.text(each, "State"));
        found.add(
            new Listed(
                String.valueOf(Json.text(each, "Id")), labels, ContainerInspection.state(state)));
      }
    }
    return found;
  }

  /** Creates a container and returns its ID. */
  public String create(ContainerSpec creation) throws DaemonException {
    String path = "/containers/create?name=" + encoded(creation.name());
    return String.valueOf(Json.text(call(Method.POST, path, creation.body()), "Id"));
  }

  /** Starts a container; it may have been started before. */
  public void start(String id) throws DaemonException {
    call(Method.POST, "/containers/" + id + "/start", null);
  }

  /**
   * @param idOrName the ID or name of a container
   */
  public ContainerInspection inspect(String idOrName) throws DaemonException {
    return ContainerInspection.of(
        object(call(Method.GET, "/containers/" + idOrName + "/json", null)));
  }

  public void kill(String id, String signal) throws DaemonException {
    call(Method.POST, "/containers/" + id + "/kill?signal=" + encoded(signal), null);
  }

  /** Removes a container with its own volumes, even if it runs; it may be gone already. */
  public void remove(String idOrName) throws DaemonException {
    try {
      call(Method.DELETE, "/containers/" + idOrName + "?force=true&v=true", null);
    } catch (DaemonException fault) {
      if (isBeingRemoved(fault)) {
        awaitRemoval(idOrName);
      } else if (fault.reason() != Reason.MISSING) {
        throw fault;
      }
    }
  }

  /** True if Docker reports that the container is being removed: it was asked twice. */
  private static boolean isBeingRemoved(DaemonException fault) {
    return fault.reason() == Reason.CONFLICT && fault.text().contains("already in progress");
  }

  private void awaitRemoval(String idOrName) throws DaemonException {
    try {
      call(Method.POST, "/containers/" + idOrName + "/wait?condition=removed", null);
    } catch (DaemonException fault) {
      if (fault.reason() != Reason.MISSING) {
        throw fault;
      }
    }
  }

  public LocalImage image(String name) throws DaemonException {
    return LocalImage.of(object(call(Method.GET, "/images/" + name + "/json", null)));
  }

  /** Makes an image from an archive. */
  public void importImage(byte[] archive, String repository, String tag) throws DaemonException {
    Request request =
        Request.builder()
            .method(Method.POST)
            .path("/images/create?fromSrc=-")
            .putHeader("Content-Type", "application/x-tar")
            .body(new ByteArrayInputStream(archive))
            .build();
    String id = "";
    try (Response response = execute(request)) {
      for (String line :
          new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        String status = line.isBlank() ? null : Json.text(Json.parse(line), "status");
        id = status != null && status.startsWith("sha256:") ? status : id;
      }
    } catch (IOException fault) {
      throw away(fault);
    }
    call(Method.POST, "/images/" + id + "/tag?repo=" + encoded(repository) + "&tag=" + tag, null);
  }

  /**
   * Starts to pull an image.
   *
   * @return one JSON object per line, until the pull is done
   */
  public Response pull(ImageRef image, PullSecrets.@Nullable Credentials credentials)
      throws DaemonException {
    String tag = image.tag();
    // A digest stands in place of a tag; both daemons understand that.
    String path =
        "/images/create?fromImage="
            + encoded(image.repository())
            + "&tag="
            + encoded(tag == null ? String.valueOf(image.digest()) : tag);
    var request = Request.builder().method(Method.POST).path(path);
    if (credentials != null) {
      request.putHeader("X-Registry-Auth", credentials.header());
    }
    return execute(request.build());
  }

  /**
   * Returns a container's output and, if followed, its further output: in frames, see {@link
   * LogFrames}.
   *
   * @param since only later lines; null for all
   */
  public Response logs(String id, boolean follow, @Nullable Instant since) throws DaemonException {
    String path = "/containers/" + id + "/logs?stdout=true&stderr=true&follow=" + follow;
    if (since != null) {
      path += "&since=%d.%09d".formatted(since.getEpochSecond(), since.getNano());
    }
    return execute(request(Method.GET, path, null));
  }

  /** Returns the events of containers with a label from now on: one JSON object per line. */
  public Response events(String label, String value) throws DaemonException {
    String filters =
        encoded("{\"type\":[\"container\"],\"label\":[" + Json.text(label + "=" + value) + "]}");
    return execute(request(Method.GET, "/events?filters=" + filters, null));
  }

  /** Prepares a further command in a container; returns its ID. */
  public String prepareExec(String id, List<String> command, boolean input, boolean tty)
      throws DaemonException {
    ObjectNode body =
        Json.object()
            .put("AttachStdin", input)
            .put("AttachStdout", true)
            .put("AttachStderr", true)
            .put("Tty", tty);
    ArrayNode words = body.putArray("Cmd");
    command.forEach(words::add);
    return String.valueOf(Json.text(call(Method.POST, "/containers/" + id + "/exec", body), "Id"));
  }

  /**
   * Starts a command.
   *
   * @param input null for none
   * @return its output, until it ends: in frames, or plainly on a terminal
   */
  public Response startExec(String exec, boolean tty, @Nullable InputStream input)
      throws DaemonException {
    ObjectNode body = Json.object().put("Detach", false).put("Tty", tty);
    var request =
        Request.builder()
            .method(Method.POST)
            .path("/exec/" + exec + "/start")
            .putHeader("Content-Type", "application/json")
            .bodyBytes(Json.bytes(body));
    if (input != null) {
      request.hijackedInput(input);
    }
    return execute(request.build());
  }

  /** Returns the state of a command. */
  public ExecState exec(String exec) throws DaemonException {
    ObjectNode json = object(call(Method.GET, "/exec/" + exec + "/json", null));
    boolean running = Boolean.TRUE.equals(Json.bool(json, "Running"));
    Long pid = Json.longInteger(json, "Pid");
    return new ExecState(
        running, running ? null : Json.integer(json, "ExitCode"), pid == null ? 0 : pid);
  }

  public void resizeExec(String exec, int columns, int rows) throws DaemonException {
    call(Method.POST, "/exec/" + exec + "/resize?w=" + columns + "&h=" + rows, null);
  }

  @Override
  public void close() {
    try {
      http.close();
    } catch (IOException | RuntimeException fault) {
      // There is nothing to be done, nor to be lost.
      return;
    }
  }

  private static Request request(Method method, String path, @Nullable ObjectNode body) {
    var request = Request.builder().method(method).path(path);
    if (body != null) {
      request.putHeader("Content-Type", "application/json").bodyBytes(Json.bytes(body));
    }
    return request.build();
  }

  private JsonNode call(Method method, String path, @Nullable ObjectNode body)
      throws DaemonException {
    return within(
        patience,
        () -> {
          try (Response response = execute(request(method, path, body))) {
            byte[] bytes = response.getBody().readAllBytes();
            return bytes.length == 0 ? Json.object() : Json.read(bytes);
          } catch (IOException | JacksonException fault) {
            throw away(fault);
          }
        });
  }

  /**
   * Waits for an answer on another thread. Reading from the transport's sockets has no timeout of
   * its own, but ends with its thread.
   */
  private static <T> T within(Duration patience, Answer<T> answer) throws DaemonException {
    FutureTask<T> task = new FutureTask<>(answer::get);
    Thread thread = Thread.ofVirtual().name("stint-daemon-call").start(task);
    try {
      return task.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException fault) {
      throw fault.getCause() instanceof DaemonException refused ? refused : away(fault);
    } catch (TimeoutException late) {
      thread.interrupt();
      throw away(late, "no answer within " + patience.toSeconds() + " s");
    } catch (InterruptedException stopped) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      throw away(stopped);
    }
  }

  /** Sends a request; throws if the answer is a refusal. */
  private Response execute(Request request) throws DaemonException {
    Response response;
    try {
      response = http.execute(request);
    } catch (RuntimeException fault) {
      // The transport throws only this exception for failures on the way.
      throw away(fault.getCause() == null ? fault : fault.getCause());
    }
    int status = response.getStatusCode();
    if (status >= 400) {
      try (response) {
        throw new DaemonException(reason(status), message(response), null);
      }
    }
    return response;
  }

  private static Reason reason(int status) {
    return switch (status) {
      case 404 -> Reason.MISSING;
      case 409 -> Reason.CONFLICT;
      case 502, 503, 504 -> Reason.AWAY;
      default -> Reason.REFUSED;
    };
  }

  private static String message(Response response) {
    try {
      String text = new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8).strip();
      String message = text.startsWith("{") ? Json.text(Json.parse(text), "message") : text;
      return message == null || message.isEmpty()
          ? "the daemon answered with status " + response.getStatusCode()
          : message;
    } catch (IOException | JacksonException fault) {
      return "the daemon answered with status " + response.getStatusCode();
    }
  }

  private static DaemonException away(Throwable fault) {
    return away(fault, fault.toString());
  }

  private static DaemonException away(Throwable fault, String why) {
    return new DaemonException(Reason.AWAY, "the daemon does not answer: " + why, fault);
  }

  private static ObjectNode object(JsonNode json) throws DaemonException {
    if (json instanceof ObjectNode object) {
      return object;
    }
    throw new DaemonException(Reason.REFUSED, "the daemon's answer is not a JSON object", null);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
