package dev.stint.cli.assets;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.Logging;
import java.util.concurrent.CompletableFuture;

/**
 * The program {@code kube-apiserver} of a test environment: the API of {@code up}, in memory, with
 * the keys of the environment, and no controllers unless some are chosen.
 */
public final class ApiServerProgram implements TestProgram {
  private final Console console;

  public ApiServerProgram(Console console) {
    this.console = console;
  }

  @Override
  public int run(String... args) {
    GoFlags given = GoFlags.parse(args);
    if (given.has("help") || given.has("h")) {
      help();
      return ExitCode.OK.status();
    }
    Logging.toStandardErrorBriefly();
    ApiServerFlags flags = new ApiServerFlags(given, console.environment());
    flags.warnings().forEach(line -> console.say("kube-apiserver " + line));
    CompletableFuture<Integer> end = new CompletableFuture<>();
    console.signals().on("INT", () -> end.complete(ExitCode.INTERRUPTED.status()));
    console.signals().on("TERM", () -> end.complete(ExitCode.OK.status()));
    try (ApiServerSession session = ApiServerSession.open(console, flags)) {
      session.onFailure(why -> {
        console.say(why);
        end.complete(ExitCode.FAILED.status());
      });
      console.say("kube-apiserver serves " + session.url());
      return end.join();
    }
  }

  private void help() {
    console
        .out()
        .println(
            """
            Usage: kube-apiserver [flags]

            Stint's API server for test environments such as envtest. Everything is in memory.

              --bind-address ADDRESS                   where to listen (default: 127.0.0.1)
              --secure-port PORT                       (default: 6443)
              --cert-dir DIR                           has apiserver.crt and apiserver.key; only read
              --tls-cert-file FILE, --tls-private-key-file FILE
              --client-ca-file FILE                    authority of clients' certificates
              --service-account-key-file FILE          may be repeated; also a certificate
              --service-account-signing-key-file FILE
              --service-account-issuer ISSUER          may be repeated
              --api-audiences LIST
              --authorization-mode RBAC|AlwaysAllow    (default: AlwaysAllow)
              --disable-admission-plugins LIST         such as NamespaceLifecycle or ServiceAccount
              --allow-privileged                       allow privileged containers
              --feature-gates A=true,B=false
              --audit-log-path FILE, --audit-policy-file FILE
              --service-address NAMESPACE/NAME=HOST:PORT
                                                       where a webhook's service is; may be repeated
              --stint-controllers all|LIST             controllers to run, such as job,gc,namespace
                                                       (default: $STINT_CONTROLLERS, or none)
              --pod-failure-backoff DURATION           of the job controller (default: 10s)
            Other flags are accepted and ignored.\
            """);
  }
}
