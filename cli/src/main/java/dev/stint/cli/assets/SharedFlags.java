package dev.stint.cli.assets;

import dev.stint.apiserver.audit.AuditSettings;
import dev.stint.cli.flag.FlagConverters;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.ControllerOptions;
import dev.stint.cli.serve.AdmissionOptions;
import dev.stint.cli.serve.AuditOptions;
import dev.stint.cli.serve.ServiceOptions;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.model.podsecurity.PodSecuritySettings;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** The flags of {@code kube-apiserver} that {@code up} has too, with the same meaning. */
@Command(name = "kube-apiserver")
final class SharedFlags {
  @Mixin ControllerOptions controller = new ControllerOptions();

  @Mixin AuditOptions audit = new AuditOptions();

  @Mixin AdmissionOptions admission = new AdmissionOptions();

  @Mixin ServiceOptions services = new ServiceOptions();

  /**
   * Parses flags of the form {@code --k=v}.
   *
   * @throws UserException if one has a faulty value
   */
  static SharedFlags parse(List<String> args) {
    SharedFlags flags = new SharedFlags();
    try {
      FlagConverters.register(new CommandLine(SharedFlagsSpec.of(flags)))
          .parseArgs(args.toArray(String[]::new));
      flags.controller.check();
    } catch (ParameterException faulty) {
      throw new UserException(String.valueOf(faulty.getMessage()));
    }
    return flags;
  }

  JobControllerOptions jobs() {
    return controller.jobs(_ -> true);
  }

  @Nullable AuditSettings audit(OutputStream standardOutput) {
    return audit.settings(standardOutput);
  }

  Map<String, InetSocketAddress> services() {
    return services.addresses();
  }

  PodSecuritySettings podSecurity() {
    return admission.podSecurity(false);
  }
}
