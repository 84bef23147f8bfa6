package dev.stint.model.pod;

import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;

/**
 * Rules of servers that do not allow privileged containers ({@code --allow-privileged=false}). They
 * are not part of validation: other servers accept such documents.
 */
public final class PrivilegedContainerRules {
  private PrivilegedContainerRules() {}

  /**
   * Returns the given faults and those of privileged containers.
   *
   * @param spec the specification of a pod or of a template
   */
  public static List<FieldError> with(List<FieldError> faults, FieldPath spec) {
    FieldErrors all = new FieldErrors();
    all.addAll(faults);
    for (String list : PodDefaults.CONTAINER_LISTS) {
      for (FieldPath container : spec.get(list).items()) {
        FieldPath privileged = container.get("securityContext", "privileged");
        if (privileged.isTrue()) {
          all.forbidden(privileged, "disallowed by cluster policy");
        }
      }
    }
    if (WindowsRules.hasHostProcesses(spec)) {
      all.forbidden(spec, "hostProcess containers are disallowed by cluster policy");
    }
    return all.list();
  }
}
