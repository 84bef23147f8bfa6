package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class IndexesTest {
  @Test
  void listsAreReadInAnyOrder() {
    assertThat(Indexes.parse("7-9, 3,8")).hasToString("3,7-9");
    assertThat(Indexes.parse("1-2")).hasToString("1,2");
  }

  @Test
  void invalidListsAreRefused() {
    assertThatThrownBy(() -> Indexes.parse("3,x"))
        .hasMessage("\"3,x\" is not a list of indexes, such as 3,7-9");
    assertThatThrownBy(() -> Indexes.parse("")).hasMessageContaining("is not a list");
    assertThatThrownBy(() -> Indexes.parse("9-7")).hasMessage("\"9-7\" ends before it starts");
  }
}
