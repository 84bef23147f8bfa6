package dev.stint.cli.assets;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Flags have the forms that Go's programs take. */
class GoFlagsTest {
  @Test
  void aValueFollowsAnEqualsSignOrAlone() {
    GoFlags flags = GoFlags.parse("--a=1", "--b", "2", "-c=3", "-d", "4", "--url=http://x?a=b");
    assertThat(flags.last("a")).contains("1");
    assertThat(flags.last("b")).contains("2");
    assertThat(flags.last("c")).contains("3");
    assertThat(flags.last("d")).contains("4");
    assertThat(flags.last("url")).contains("http://x?a=b");
    assertThat(flags.names()).containsExactly("a", "b", "c", "d", "url");
    assertThat(flags.others()).isEmpty();
  }

  @Test
  void aFlagWithoutAValueIsOn() {
    GoFlags flags = GoFlags.parse("--a", "--b=false", "--c=", "--d", "true", "--e");
    assertThat(flags.isOn("a")).isTrue();
    assertThat(flags.isOn("b")).isFalse();
    assertThat(flags.isOn("c")).isFalse();
    assertThat(flags.isOn("d")).isTrue();
    assertThat(flags.isOn("e")).isTrue();
    assertThat(flags.isOn("f")).isFalse();
    assertThat(flags.has("c")).isTrue();
  }

  @Test
  void aRepeatedFlagHasAllItsValues() {
    GoFlags flags = GoFlags.parse("--k=a,b", "--k", "c, d,", "--k=");
    assertThat(flags.all("k")).containsExactly("a,b", "c, d,", "");
    assertThat(flags.entries("k")).containsExactly("a", "b", "c", "d");
    assertThat(flags.last("k")).isEmpty();
  }

  @Test
  void anUnderscoreIsADash() {
    assertThat(GoFlags.parse("--cert_dir=/x").last("cert-dir")).contains("/x");
  }

  @Test
  void whatIsNoFlagIsKeptApart() {
    GoFlags flags = GoFlags.parse("first", "--a=1", "-", "--", "--b");
    assertThat(flags.names()).containsExactly("a");
    assertThat(flags.others()).containsExactly("first", "-", "--b");
  }
}
