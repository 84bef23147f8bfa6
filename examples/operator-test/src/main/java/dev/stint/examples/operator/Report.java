package dev.stint.examples.operator;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A custom resource that requests a report; {@code crds/reports.yaml} defines it. */
@Group("example.com")
@Version("v1")
public class Report extends CustomResource<Report.Spec, Report.Status> implements Namespaced {
  private static final long serialVersionUID = 1L;

  /** The wishes of a user. */
  public static class Spec {
    /** The number of chapters; the API fills in 1 if a user names none. */
    public @Nullable Integer chapters;
  }

  /** The state of a report, which only the operator writes. */
  public static class Status {
    /** The generation of the report that this status is about. */
    public @Nullable Long observedGeneration;

    /** The chapters that failed, such as {@code 0,3-5}. */
    public @Nullable String failedChapters;

    /** One condition, {@code Ready}. */
    public List<Condition> conditions = new ArrayList<>();
  }
}
