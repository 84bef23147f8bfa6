package dev.stint.examples.josdk;

/** The place where backups are kept. It is outside of Kubernetes. */
public interface BackupStorage {
  /** Deletes a backup, if there is one. */
  void delete(String backup);
}
