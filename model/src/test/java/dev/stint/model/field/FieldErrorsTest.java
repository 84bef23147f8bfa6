package dev.stint.model.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.junit.jupiter.api.Test;

class FieldErrorsTest {
  @Test
  void theFirstFaultsAreKept() {
    FieldErrors faults = new FieldErrors();
    for (int i = 0; i <= FieldErrors.MOST; i++) {
      faults.invalid("a[" + i + "]", "is wrong");
    }
    faults.addAll(Collections.nCopies(10, new FieldError("b", FieldError.Type.REQUIRED, "is")));
    assertThat(faults.list()).hasSize(FieldErrors.MOST);
    assertThat(faults.list().getFirst().path()).isEqualTo("a[0]");
    assertThat(faults.list().getLast().path()).isEqualTo("a[" + (FieldErrors.MOST - 1) + "]");
  }
}
