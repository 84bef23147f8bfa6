package dev.stint.apiserver.strategy;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.job.JobAdmission;
import dev.stint.model.job.JobStatusValidation;
import dev.stint.model.job.JobValidation;
import dev.stint.model.job.JobWarnings;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The strategy of Jobs; the model contains their rules. */
public final class JobStrategy extends PodTemplateStrategy {
  private static final List<List<String>> FILLED_IN =
      List.of(
          List.of("metadata", "labels"),
          List.of("spec", "selector"),
          List.of("spec", "template", "metadata", "labels"));

  /**
   * @param allowPrivileged true if pods may have privileged containers
   */
  public JobStrategy(FeatureGates gates, boolean allowPrivileged) {
    super(Kind.JOB, gates, allowPrivileged);
  }

  @Override
  public List<List<String>> filledIn() {
    return FILLED_IN;
  }

  /** Returns the default of {@code batch/v1}, which has always been to orphan the pods. */
  @Override
  public Propagation propagation() {
    return Propagation.ORPHAN;
  }

  @Override
  FieldPath podSpec(FieldPath root) {
    return root.get("spec", "template", "spec");
  }

  @Override
  List<FieldError> admitNew(ObjectNode job) {
    String uid = Objects.requireNonNull(Json.text(MetadataDefaults.of(job), "uid"), "no uid");
    return JobAdmission.create(job, uid, gates);
  }

  @Override
  List<FieldError> admitChange(ObjectNode before, ObjectNode after) {
    return JobAdmission.update(before, after, gates);
  }

  @Override
  public List<FieldError> update(ObjectNode before, ObjectNode after) {
    List<FieldError> faults = super.update(before, after);
    return faults.isEmpty() ? faults : withThoseOfTheDocument(after, faults);
  }

  /**
   * Adds the faults of the document: Kubernetes validates a changed Job as a change and as a
   * document, and reports both.
   */
  private static List<FieldError> withThoseOfTheDocument(
      ObjectNode after, List<FieldError> faults) {
    FieldErrors own = new FieldErrors();
    JobValidation.spec(FieldPath.root(after).get("spec"), own);
    List<FieldError> all = new ArrayList<>(faults);
    all.addAll(own.list());
    return all;
  }

  @Override
  public List<String> warnings(@Nullable ObjectNode before, ObjectNode after) {
    return before == null
        ? JobWarnings.create(FieldPath.root(after))
        : JobWarnings.update(FieldPath.root(after));
  }

  @Override
  public List<FieldError> updateStatus(ObjectNode before, ObjectNode after) {
    return JobStatusValidation.update(before, after, gates);
  }
}
