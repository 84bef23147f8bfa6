package dev.stint.cli.plane;

import dev.stint.cli.output.UserException;
import dev.stint.embedded.LeaderCandidate;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.leader.LeaseTimes;
import dev.stint.reconcile.leader.Sharding;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of leader election, with the names of Kubernetes' components; a mixin. */
public final class LeaderOptions {
  private static final String USUAL_NAMESPACE = "kube-system";

  @Option(
      names = "--leader-elect",
      arity = "0..1",
      paramLabel = "true|false",
      defaultValue = "false",
      fallbackValue = "true",
      description =
          "Elect a leader among several replicas by a Lease, and work only as the leader "
              + "(default: ${DEFAULT-VALUE}).")
  boolean elect;

  @Option(
      names = "--leader-elect-lease-duration",
      paramLabel = "DURATION",
      defaultValue = "15s",
      description =
          "Time that other candidates wait after the last renewal of the Lease (default: "
              + "${DEFAULT-VALUE}).")
  Duration leaseDuration = LeaseTimes.DEFAULT.leaseDuration();

  @Option(
      names = "--leader-elect-renew-deadline",
      paramLabel = "DURATION",
      defaultValue = "10s",
      description =
          "Time after which a leader that cannot renew the Lease stops leading (default: "
              + "${DEFAULT-VALUE}).")
  Duration renewDeadline = LeaseTimes.DEFAULT.renewDeadline();

  @Option(
      names = "--leader-elect-retry-period",
      paramLabel = "DURATION",
      defaultValue = "2s",
      description =
          "Time between attempts to acquire or renew the Lease (default: ${DEFAULT-VALUE}).")
  Duration retryPeriod = LeaseTimes.DEFAULT.retryPeriod();

  @Option(
      names = "--leader-elect-resource-name",
      paramLabel = "NAME",
      description = "Name of the Lease (default: stint- and the claim, such as stint-built-in).")
  @Nullable String name;

  @Option(
      names = "--leader-elect-resource-namespace",
      paramLabel = "NAMESPACE",
      description =
          "Namespace of the Lease (default: kube-system; for stint controller in a pod, that of "
              + "the pod).")
  @Nullable String namespace;

  /**
   * Returns the candidate for leader election; null if the election is off.
   *
   * @param claim as the flag has it
   * @param podNamespace null if this process is not a pod
   * @param sharding how the replicas share the work, which implies an election; null if they don't
   * @throws UserException if the times don't agree
   */
  public @Nullable LeaderCandidate candidacy(
      String claim, @Nullable String podNamespace, @Nullable Sharding sharding) {
    LeaseTimes times = times();
    if (!elect && sharding == null) {
      return null;
    }
    String usual = podNamespace == null ? USUAL_NAMESPACE : podNamespace;
    ObjectRef lease =
        new ObjectRef(
            Kind.LEASE,
            namespace == null ? usual : namespace,
            name == null ? leaseName(claim) : name);
    return new LeaderCandidate(lease, host() + "_" + UUID.randomUUID(), times, sharding);
  }

  private LeaseTimes times() {
    try {
      return new LeaseTimes(leaseDuration, renewDeadline, retryPeriod);
    } catch (IllegalArgumentException fault) {
      throw new UserException("--leader-elect-...: " + fault.getMessage());
    }
  }

  /**
   * Returns the name of the Lease. It differs by claim, so that different claims do not wait for
   * each other.
   */
  public static String leaseName(String claim) {
    String plain = claim.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    return "stint-" + plain.replaceAll("^-+|-+$", "");
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }
}
