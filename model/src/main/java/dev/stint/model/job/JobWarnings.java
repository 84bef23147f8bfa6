package dev.stint.model.job;

import dev.stint.model.field.FieldPath;
import dev.stint.model.field.StrictFormats;
import dev.stint.model.pod.PodTemplateWarnings;
import java.util.ArrayList;
import java.util.List;

/** Warnings about valid Jobs, in Kubernetes' words. */
public final class JobWarnings {
  private static final int MANY_COMPLETIONS = 100_000;
  private static final int MANY_PODS = 10_000;

  private JobWarnings() {}

  /** Returns the warnings about a new Job. */
  public static List<String> create(FieldPath job) {
    List<String> warnings = new ArrayList<>(name(job));
    warnings.addAll(spec(job.get("spec")));
    return warnings;
  }

  /** Returns the warnings about a changed Job: all but the one about its name. */
  public static List<String> update(FieldPath job) {
    return spec(job.get("spec"));
  }

  /** Returns the warning about the name of an object whose pods are named after it. */
  public static List<String> name(FieldPath object) {
    FieldPath name = object.get("metadata", "name");
    String complaints = StrictFormats.notALabel(name.text());
    return complaints.isEmpty()
        ? List.of()
        : List.of(
            name
                + ": this is used in Pod names and hostnames, which can result in surprising"
                + " behavior; a DNS label is recommended: "
                + complaints);
  }

  /** Returns the warnings about a Job's specification. */
  public static List<String> spec(FieldPath spec) {
    List<String> warnings = new ArrayList<>();
    if (spec.get("completionMode").text().equals("Indexed")
        && spec.get("completions").count() > MANY_COMPLETIONS
        && spec.get("parallelism").count() > MANY_PODS) {
      warnings.add(
          spec
              + ": In Indexed Jobs with a number of completions higher than 10^5 and a parallelism"
              + " higher than 10^4, Kubernetes might not be able to track completedIndexes when a"
              + " big number of indexes fail");
    }
    warnings.addAll(PodTemplateWarnings.ofTemplate(spec.get("template")));
    return warnings;
  }
}
