package dev.stint.apiextensions.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.stint.model.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuleEqualityTest {
  @Test
  void valuesThatDifferHaveOtherIdentities() {
    List<Object> values =
        List.of(
            "1",
            1L,
            1.5,
            true,
            NullValue.NULL_VALUE,
            CelByteString.copyFromUtf8("1"),
            CelByteString.copyFromUtf8("2"),
            Instant.EPOCH,
            Duration.ZERO,
            List.of("a", "b"),
            List.of("b", "a"),
            List.of("ab"),
            List.of(List.of("a"), "b"),
            List.of(List.of("a", "b")),
            Json.text("1"),
            Json.parse("{\"a\":\"b\"}"),
            Map.of("a", "b"),
            Map.of("b", "a"),
            Map.of("a", Map.of(), "b", "c"),
            Map.of("a", Map.of("b", "c")));
    assertThat(values.stream().map(RuleEquality::identity)).doesNotHaveDuplicates();
  }

  @Test
  void equalValuesHaveTheSame() {
    assertThat(RuleEquality.identity(Map.of("a", 1L, "b", 2L)))
        .isEqualTo(RuleEquality.identity(Map.of("b", 2.0, "a", 1L)));
    assertThat(RuleEquality.identity(Json.parse("{\"a\":1,\"b\":2}")))
        .isEqualTo(RuleEquality.identity(Json.parse("{\"b\":2,\"a\":1}")));
    assertThat(RuleEquality.identity(CelByteString.copyFromUtf8("x")))
        .isEqualTo(RuleEquality.identity(CelByteString.copyFromUtf8("x")));
  }
}
