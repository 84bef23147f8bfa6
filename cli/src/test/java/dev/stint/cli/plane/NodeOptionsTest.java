package dev.stint.cli.plane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.flag.FlagConverters;
import dev.stint.cli.output.UserException;
import dev.stint.runner.process.user.InheritedNames;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class NodeOptionsTest {
  private static final Map<String, String> ENVIRONMENT =
      Map.of("PATH", "/bin", "HTTP_PROXY", "x", "AWS_REGION", "y", "STINT_TOKEN", "z");

  @Test
  void theCommandDecidesWhatIsInheritedUnlessTheFlagDoes() {
    assertThat(inherited(InheritedNames.ALL)).containsOnly("PATH", "HTTP_PROXY", "AWS_REGION");
    assertThat(inherited(InheritedNames.FEW)).containsOnly("PATH");
    assertThat(inherited(InheritedNames.ALL, "--inherit-env=none")).containsOnly("PATH");
    assertThat(inherited(InheritedNames.FEW, "--inherit-env=all"))
        .containsOnly("PATH", "HTTP_PROXY", "AWS_REGION");
    assertThat(inherited(InheritedNames.FEW, "--inherit-env=AWS_*,HTTP_PROXY"))
        .containsOnly("PATH", "HTTP_PROXY", "AWS_REGION");
    assertThat(inherited(InheritedNames.FEW, "--inherit-env=AWS_*", "--inherit-env=X"))
        .containsOnly("PATH", "AWS_REGION");
  }

  @Test
  void whatIsNoVariableOrStintsOwnIsRefused() {
    assertThatThrownBy(() -> inherited(InheritedNames.FEW, "--inherit-env=A=b"))
        .isInstanceOf(UserException.class)
        .hasMessage(
            "--inherit-env: \"A=b\" is not the name of a variable, such as HTTP_PROXY or AWS_*");
    assertThatThrownBy(() -> inherited(InheritedNames.FEW, "--inherit-env=STINT_TOKEN"))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("STINT_TOKEN is Stint's own");
  }

  private static Set<String> inherited(InheritedNames unlessNamed, String... flags) {
    NodeOptions options = new NodeOptions();
    FlagConverters.register(new CommandLine(options)).parseArgs(flags);
    return options.pods(unlessNamed).inherited().of(ENVIRONMENT).keySet();
  }
}
