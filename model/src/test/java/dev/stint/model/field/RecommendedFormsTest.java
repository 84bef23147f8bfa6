package dev.stint.model.field;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecommendedFormsTest {
  @Test
  void aLabelIsShortAndHasNoDots() {
    assertThat(StrictFormats.notALabel("a-1")).isEmpty();
    assertThat(StrictFormats.notALabel("a.b")).isEqualTo("[must not contain dots]");
    assertThat(StrictFormats.notALabel("a.".repeat(40)))
        .isEqualTo("[must be no more than 63 characters must not contain dots]");
  }

  @Test
  void everyFaultOfALabelValueIsReported() {
    assertThat(StrictFormats.notALabelValue("")).isEmpty();
    assertThat(StrictFormats.notALabelValue("a_b.c-d")).isEmpty();
    assertThat(StrictFormats.notALabelValue("-a")).hasSize(1);
    assertThat(StrictFormats.notALabelValue("!".repeat(64))).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "::1, ::1",
    "2001:DB8:0:0::2, 2001:db8::2",
    "0:0:0:0:0:0:0:0, ::",
    "1:0:0:2:0:0:0:3, 1:0:0:2::3",
    "1:0:2:3:4:5:6:7, 1:0:2:3:4:5:6:7",
    "::1.2.3.4, ::102:304",
    "::ffff:1.2.3.4,",
    "1.2.3.4,",
    "x:,",
  })
  void anAddressHasOneForm(String address, @Nullable String form) {
    assertThat(StrictFormats.ipv6(address)).isEqualTo(form);
  }
}
