package dev.stint.cli.assets;

import dev.stint.apiserver.access.pki.GivenKeys;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.ControllerNames;
import dev.stint.embedded.ControllerName;
import dev.stint.model.FeatureGates.Gate;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The meaning of the flags of {@code kube-apiserver}. */
final class ApiServerFlags {
  /** The variable that chooses controllers unless {@code --stint-controllers} does. */
  static final String CONTROLLERS_VARIABLE = "STINT_CONTROLLERS";

  static final String CONTROLLERS = "stint-controllers";

  /** The only flag shared with {@code up} that may be repeated. */
  private static final String SERVICE = "service-address";

  private static final int USUAL_PORT = 6443;
  private static final String ALWAYS_ALLOW = "AlwaysAllow";

  /** Flags that {@code up} has too, with the same meaning. */
  private static final Set<String> SHARED =
      Set.of(
          "admission-control-config-file",
          "audit-log-path",
          "audit-policy-file",
          "audit-log-format",
          "audit-log-maxsize",
          "audit-log-maxbackup",
          "audit-log-maxage",
          "pod-failure-backoff",
          "max-pod-failure-backoff",
          "sync-batch-period",
          "concurrent-job-syncs");

  private static final Set<String> OWN =
      Set.of(
          CONTROLLERS,
          SERVICE,
          "allow-privileged",
          "api-audiences",
          "authorization-mode",
          "bind-address",
          "cert-dir",
          "client-ca-file",
          "disable-admission-plugins",
          "feature-gates",
          "secure-port",
          "service-account-issuer",
          "service-account-key-file",
          "service-account-signing-key-file",
          "tls-cert-file",
          "tls-private-key-file");

  /** Flags that change nothing here: of etcd, of networks, of limits and of log lines. */
  private static final Set<String> WITHOUT_EFFECT =
      Set.of(
          "advertise-address",
          "enable-admission-plugins",
          "etcd-cafile",
          "etcd-certfile",
          "etcd-keyfile",
          "etcd-prefix",
          "etcd-servers",
          "max-mutating-requests-inflight",
          "max-requests-inflight",
          "runtime-config",
          "service-cluster-ip-range",
          "v");

  private final GoFlags flags;
  private final Map<String, String> environment;

  ApiServerFlags(GoFlags flags, Map<String, String> environment) {
    this.flags = flags;
    this.environment = environment;
  }

  /** Returns what is ignored although somebody may count on it, in lines for the user. */
  List<String> warnings() {
    Set<String> unknown = new HashSet<>(flags.names());
    unknown.removeAll(OWN);
    unknown.removeAll(WITHOUT_EFFECT);
    unknown.removeAll(SHARED);
    List<String> lines = new ArrayList<>();
    unknown.stream().sorted().forEach(name -> lines.add("ignores the unknown flag --" + name));
    flags.others().forEach(arg -> lines.add("ignores the argument \"" + arg + "\""));
    gateSettings()
        .filter(setting -> !isKnown(setting))
        .forEach(setting -> lines.add("ignores the unknown feature gate " + setting));
    return lines;
  }

  /** Returns the address to listen on; loopback unless one is given. */
  InetSocketAddress address() {
    String host = flags.last("bind-address").orElse("127.0.0.1");
    InetSocketAddress address = new InetSocketAddress(host, port());
    if (address.isUnresolved()) {
      throw new UserException("--bind-address: unknown host \"" + host + "\"");
    }
    return address;
  }

  private int port() {
    String text = flags.last("secure-port").orElse(String.valueOf(USUAL_PORT));
    int port = text.matches("\\d{1,5}") ? Integer.parseInt(text) : -1;
    if (port < 0 || port > 65535) {
      throw new UserException("--secure-port: \"" + text + "\" is not a port");
    }
    return port;
  }

  /** Returns the files of keys and certificates. */
  GivenKeys.Sources keys() {
    Path certificate = file("tls-cert-file");
    Path key = file("tls-private-key-file");
    Path directory = file("cert-dir");
    if (certificate == null && key == null && directory != null) {
      certificate = existing(directory.resolve("apiserver.crt"));
      key = existing(directory.resolve("apiserver.key"));
    }
    if ((certificate == null) != (key == null)) {
      throw new UserException(
          (certificate == null
                  ? "there is no certificate for " + key
                  : "there is no key for " + certificate)
              + "; give both in --cert-dir, or --tls-cert-file and --tls-private-key-file");
    }
    return new GivenKeys.Sources(
        certificate,
        key,
        file("client-ca-file"),
        flags.all("service-account-key-file").stream()
            .map(value -> path("service-account-key-file", value))
            .toList(),
        file("service-account-signing-key-file"),
        flags.all("service-account-issuer"),
        flags.entries("api-audiences"));
  }

  private @Nullable Path file(String flag) {
    return flags.last(flag).map(value -> path(flag, value)).orElse(null);
  }

  private static Path path(String flag, String value) {
    try {
      return Path.of(value);
    } catch (InvalidPathException malformed) {
      throw new UserException("--" + flag + ": \"" + value + "\" is not a path");
    }
  }

  private static @Nullable Path existing(Path file) {
    return Files.exists(file) ? file : null;
  }

  boolean allowsPrivileged() {
    return flags.isOn("allow-privileged");
  }

  /** True if every authenticated user may do everything, which is Kubernetes' default. */
  boolean allowsEverything() {
    List<String> modes = flags.entries("authorization-mode");
    return modes.isEmpty() || modes.contains(ALWAYS_ALLOW);
  }

  Set<String> disabledPlugins() {
    return Set.copyOf(flags.entries("disable-admission-plugins"));
  }

  /**
   * Returns the controllers to run; none unless some are chosen.
   *
   * @throws UserException if one is unknown
   */
  Set<ControllerName> controllers() {
    return flags.has(CONTROLLERS)
        ? controllers("--" + CONTROLLERS, String.join(",", flags.all(CONTROLLERS)))
        : controllers(CONTROLLERS_VARIABLE, environment.getOrDefault(CONTROLLERS_VARIABLE, ""));
  }

  /** Returns the controllers of a list; those that work without a node, if it is {@code all}. */
  static Set<ControllerName> controllers(String flag, String text) {
    Set<ControllerName> chosen = ControllerNames.parse(flag, text.isEmpty() ? "none" : text);
    if (text.equals("all")) {
      chosen.remove(ControllerName.PODGC); // It would delete pods of unregistered nodes.
    }
    return chosen;
  }

  /** Returns the flags that {@code up} has too. */
  List<String> shared() {
    List<String> passed = new ArrayList<>();
    for (String name : SHARED) {
      flags.last(name).ifPresent(value -> passed.add("--" + name + "=" + value));
    }
    flags.all(SERVICE).forEach(value -> passed.add("--" + SERVICE + "=" + value));
    String gates = gateSettings().filter(ApiServerFlags::isKnown).collect(Collectors.joining(","));
    if (!gates.isEmpty()) {
      passed.add("--feature-gates=" + gates);
    }
    return passed;
  }

  private Stream<String> gateSettings() {
    return flags.entries("feature-gates").stream();
  }

  private static boolean isKnown(String setting) {
    String name = setting.split("=", 2)[0].strip();
    return Arrays.stream(Gate.values()).anyMatch(gate -> gate.name().equals(name));
  }
}
