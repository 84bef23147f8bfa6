package dev.stint.cli.serve;

import dev.stint.apiserver.audit.AuditFormat;
import dev.stint.apiserver.audit.AuditPolicy;
import dev.stint.apiserver.audit.AuditPolicyFile;
import dev.stint.apiserver.audit.AuditPolicyFile.InvalidPolicyException;
import dev.stint.apiserver.audit.AuditSettings;
import dev.stint.cli.output.UserException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the audit log, with Kubernetes' names. */
public final class AuditOptions {
  /** The values of {@code --audit-log-format}. */
  enum Format {
    json(AuditFormat.JSON),
    legacy(AuditFormat.LEGACY);

    private final AuditFormat format;

    Format(AuditFormat format) {
      this.format = format;
    }
  }

  @Option(
      names = {"--audit-log-path", "--audit-log"},
      paramLabel = "FILE",
      description =
          "File to append an audit.k8s.io/v1 event to for each request that the policy "
              + "includes; - is the standard output (default: none).")
  @Nullable String path;

  @Option(
      names = "--audit-policy-file",
      paramLabel = "FILE",
      description =
          "Audit policy (audit.k8s.io/v1) that says what to record "
              + "(default: metadata of writes and of sessions in containers).")
  @Nullable Path policy;

  @Option(
      names = "--audit-log-format",
      paramLabel = "json|legacy",
      defaultValue = "json",
      description = "Form of the audit log's lines: json or legacy (default: ${DEFAULT-VALUE}).")
  Format format = Format.json;

  @Option(
      names = "--audit-log-maxsize",
      paramLabel = "MEGABYTES",
      defaultValue = "" + AuditSettings.MAX_SIZE,
      description = "Size at which the audit log is rotated (default: ${DEFAULT-VALUE}).")
  int maxSize = AuditSettings.MAX_SIZE;

  @Option(
      names = "--audit-log-maxbackup",
      paramLabel = "N",
      defaultValue = "" + AuditSettings.MAX_BACKUPS,
      description = "Rotated audit logs to keep; 0 keeps all (default: ${DEFAULT-VALUE}).")
  int maxBackups = AuditSettings.MAX_BACKUPS;

  @Option(
      names = "--audit-log-maxage",
      paramLabel = "DAYS",
      defaultValue = "0",
      description = "Days to keep rotated audit logs; 0 is for ever (default: ${DEFAULT-VALUE}).")
  int maxAge;

  /**
   * Returns the settings; null for no audit log.
   *
   * @param standardOutput for the path {@code -}
   */
  public @Nullable AuditSettings settings(OutputStream standardOutput) {
    requireNatural("--audit-log-maxsize", maxSize);
    requireNatural("--audit-log-maxbackup", maxBackups);
    requireNatural("--audit-log-maxage", maxAge);
    if (path == null) {
      if (policy != null) {
        throw new UserException("--audit-policy-file: needs --audit-log-path FILE too");
      }
      return null;
    }
    AuditPolicy rules = policy == null ? AuditPolicy.DEFAULT : read(policy);
    OutputStream out = path.equals("-") ? standardOutput : null;
    return new AuditSettings(path, out, rules, format.format, maxSize, maxBackups, maxAge);
  }

  private static void requireNatural(String flag, int value) {
    if (value < 0) {
      throw new UserException(flag + ": must be 0 or more, found " + value);
    }
  }

  private static AuditPolicy read(Path file) {
    try {
      return AuditPolicyFile.read(file);
    } catch (NoSuchFileException missing) {
      throw new UserException("--audit-policy-file: " + file + ": no such file");
    } catch (IOException fault) {
      throw new UserException(
          "--audit-policy-file: " + file + ": cannot be read: " + fault.getMessage());
    } catch (InvalidPolicyException invalid) {
      throw new UserException("--audit-policy-file: " + file + ": " + invalid.getMessage());
    }
  }
}
