package dev.stint.kube;

import dev.stint.cluster.Timers;
import dev.stint.model.Json;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.ExecConfig;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A program that makes credentials: the {@code exec} of a kubeconfig's user (Kubernetes
 * documentation, Authenticating, client-go credential plugins). It prints them on its standard
 * output, which is shown to nobody. Its standard error is ours, since it tells the user there what
 * to do.
 *
 * @param kubeconfig the file that names it
 * @param exec how it is run
 * @param cluster what it may ask to be told; null if there is none
 */
record CredentialPlugin(Path kubeconfig, ExecConfig exec, @Nullable Cluster cluster) {
  /** The time after which a plugin is ended that has no terminal to ask anybody. */
  static final Duration LIMIT = Duration.ofMinutes(5);

  /** The greatest size of an output; certificates are some kilobytes long. */
  private static final int MOST_BYTES = 1 << 20;

  /** The name of what a cluster's entry has for its plugin. */
  private static final String EXTENSION = "client.authentication.k8s.io/exec";

  /** The {@code interactiveMode} of a plugin that asks nobody. */
  private static final String NEVER = "Never";

  /** The {@code interactiveMode} of a plugin that cannot do without asking. */
  private static final String ALWAYS = "Always";

  /**
   * @param output null if it is too long
   */
  private record Outcome(int status, @Nullable String output) {}

  /** True if standard input is a terminal, at which a plugin may ask the user. */
  static boolean hasTerminal() {
    try {
      String input = Path.of("/proc/self/fd/0").toRealPath().toString();
      return input.startsWith("/dev/pts/")
          || input.startsWith("/dev/tty")
          || input.equals("/dev/console");
    } catch (IOException unknown) {
      return false;
    }
  }

  /**
   * Runs it and returns its credentials. Waits until it has ended.
   *
   * @param terminal true if it may ask the user at a terminal, for which it has any time
   * @throws IllegalArgumentException if it gives none; the message is one line for the user
   */
  ExecCredential run(boolean terminal, Timers timers) {
    if (ALWAYS.equals(exec.getInteractiveMode()) && !terminal) {
      throw failed("asks the user, but there is no terminal");
    }
    boolean isInteractive = terminal && !NEVER.equals(exec.getInteractiveMode());
    Process process = start(isInteractive);
    CompletableFuture<@Nullable Outcome> ended =
        CompletableFuture.supplyAsync(
            () -> outcome(process),
            task -> Thread.ofVirtual().name("stint-credentials").start(task));
    Runnable cancelTimer =
        isInteractive ? () -> {} : timers.after(LIMIT, () -> ended.complete(null));
    try {
      return credentials(ended.join());
    } finally {
      cancelTimer.run();
      end(process);
    }
  }

  private Process start(boolean isInteractive) {
    List<String> command = new ArrayList<>(List.of(program()));
    command.addAll(Objects.requireNonNullElse(exec.getArgs(), List.of()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    if (isInteractive) {
      builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
    }
    prepare(builder.environment(), isInteractive);
    try {
      Process process = builder.start();
      if (!isInteractive) {
        process.getOutputStream().close();
      }
      return process;
    } catch (IOException absent) {
      throw failed("cannot be run: " + absent.getMessage());
    }
  }

  private void prepare(Map<String, String> environment, boolean isInteractive) {
    if (exec.getEnv() != null) {
      exec.getEnv().forEach(each -> environment.put(each.getName(), each.getValue()));
    }
    environment.put("KUBERNETES_EXEC_INFO", text(info(isInteractive)));
  }

  /** Returns the program: a relative path begins at the kubeconfig, and a name is looked up. */
  private String program() {
    String command = Objects.requireNonNullElse(exec.getCommand(), "");
    return command.contains(File.separator)
        ? kubeconfig.toAbsolutePath().resolveSibling(command).normalize().toString()
        : command;
  }

  private String apiVersion() {
    return Objects.requireNonNullElse(exec.getApiVersion(), "client.authentication.k8s.io/v1");
  }

  /** Returns what the plugin is told. */
  ObjectNode info(boolean isInteractive) {
    ObjectNode info = Json.object().put("kind", "ExecCredential").put("apiVersion", apiVersion());
    ObjectNode spec = info.putObject("spec").put("interactive", isInteractive);
    if (Boolean.TRUE.equals(exec.getProvideClusterInfo()) && cluster != null) {
      describe(cluster, spec.putObject("cluster"));
    }
    return info;
  }

  private void describe(Cluster known, ObjectNode info) {
    info.put("server", known.getServer());
    putIfKnown(info, "tls-server-name", known.getTlsServerName());
    putIfKnown(info, "proxy-url", known.getProxyUrl());
    putIfKnown(info, "certificate-authority-data", authority(known));
    if (Boolean.TRUE.equals(known.getInsecureSkipTlsVerify())) {
      info.put("insecure-skip-tls-verify", true);
    }
    if (known.getExtensions() != null) {
      known.getExtensions().stream()
          .filter(each -> EXTENSION.equals(each.getName()))
          .forEach(each ->
              info.set("config", Json.read(bytes(Serialization.asJson(each.getExtension())))));
    }
  }

  private static String text(ObjectNode document) {
    return new String(Json.bytes(document), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void putIfKnown(ObjectNode info, String member, @Nullable String value) {
    if (value != null) {
      info.put(member, value);
    }
  }

  private @Nullable String authority(Cluster known) {
    String file = known.getCertificateAuthority();
    if (known.getCertificateAuthorityData() != null || file == null) {
      return known.getCertificateAuthorityData();
    }
    try {
      Path path = kubeconfig.toAbsolutePath().resolveSibling(file);
      return Base64.getEncoder().encodeToString(Files.readAllBytes(path));
    } catch (IOException unreadable) {
      return null; // Our own requests report it.
    }
  }

  /** Waits for the end of a process. One that prints too much is not waited for. */
  private static @Nullable Outcome outcome(Process process) {
    try {
      InputStream out = process.getInputStream();
      byte[] output = out.readNBytes(MOST_BYTES + 1);
      return output.length > MOST_BYTES
          ? new Outcome(0, null)
          : new Outcome(process.waitFor(), new String(output, StandardCharsets.UTF_8));
    } catch (IOException | InterruptedException ended) {
      return null;
    }
  }

  /**
   * @param outcome null if it was ended before its own end
   */
  private ExecCredential credentials(@Nullable Outcome outcome) {
    if (outcome == null) {
      throw failed("did not end within " + LIMIT.toMinutes() + " minutes");
    }
    if (outcome.output() == null) {
      throw failed("printed more than " + MOST_BYTES + " bytes");
    }
    if (outcome.status() != 0) {
      throw failed("failed with exit status " + outcome.status());
    }
    try {
      return ExecCredential.read(outcome.output(), apiVersion());
    } catch (IllegalArgumentException unusable) {
      throw failed(unusable.getMessage());
    }
  }

  private IllegalArgumentException failed(@Nullable String how) {
    return new IllegalArgumentException(
        "%s: its credential plugin \"%s\" %s".formatted(kubeconfig, exec.getCommand(), how));
  }

  /** Ends a process that was not waited for, with all that it has started. */
  private static void end(Process process) {
    if (process.isAlive()) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
