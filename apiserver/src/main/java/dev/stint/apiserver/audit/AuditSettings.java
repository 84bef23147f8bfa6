package dev.stint.apiserver.audit;

import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an audit log, with the names and meanings of Kubernetes' flags.
 *
 * @param path the file; {@code -} for the standard output
 * @param standardOutput where events go if the path is {@code -}; null for a file
 * @param policy decides which requests are recorded
 * @param format of the lines
 * @param maxSizeMegabytes the size at which a file is rotated; 0 for the default
 * @param maxBackups the number of rotated files that are kept; 0 for all
 * @param maxAgeDays the age up to which rotated files are kept; 0 for ever
 */
public record AuditSettings(
    String path,
    @Nullable OutputStream standardOutput,
    AuditPolicy policy,
    AuditFormat format,
    int maxSizeMegabytes,
    int maxBackups,
    int maxAgeDays) {
  /** The default size of a file, in megabytes. */
  public static final int MAX_SIZE = 100;

  /** The default number of rotated files. */
  public static final int MAX_BACKUPS = 10;

  /** Returns the default settings for a file. */
  public static AuditSettings of(String path) {
    return new AuditSettings(
        path, null, AuditPolicy.DEFAULT, AuditFormat.JSON, MAX_SIZE, MAX_BACKUPS, 0);
  }

  AuditFile.Limits limits() {
    long megabytes = maxSizeMegabytes == 0 ? MAX_SIZE : maxSizeMegabytes;
    return new AuditFile.Limits(megabytes << 20, maxBackups, maxAgeDays);
  }
}
