package dev.stint.examples.josdk;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A custom resource that requests the backup of a database; {@code crds/backups.yaml} defines it.
 */
@Group("example.com")
@Version("v1")
public class Backup extends CustomResource<Backup.Spec, Backup.Status> implements Namespaced {
  private static final long serialVersionUID = 1L;

  /** The wishes of a user. */
  public static class Spec {
    public @Nullable String database;

    public @Nullable Integer retries;
  }

  /** The state of a backup, which only the operator writes. */
  public static class Status {
    public @Nullable Long observedGeneration;

    public int attempts;

    public List<Condition> conditions = new ArrayList<>();
  }
}
