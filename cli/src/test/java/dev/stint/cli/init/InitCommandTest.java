package dev.stint.cli.init;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InitCommandTest {
  @TempDir private Path scratch = Path.of("");

  private Recorded run(int status, String... args) {
    Map<String, String> environment =
        Map.of("HOME", scratch.toString(), "PATH", System.getenv("PATH"));
    Recorded recorded = Recorded.of("", environment, false, StandardCharsets.UTF_8);
    assertThat(recorded.run(args)).as(() -> recorded.err().toString()).isEqualTo(status);
    return recorded;
  }

  @ParameterizedTest
  @EnumSource
  void eachTemplateIsValidAndRuns(Template template) {
    String file = scratch.resolve("start.yaml").toString();
    run(0, "init", file, "--template", template.toString());
    run(0, "validate", file);
    run(0, "validate", "--for", "cluster", file);
    List<String> args = new ArrayList<>(List.of("run", file, "-o", "json"));
    if (template == Template.GPU) {
      args.add("--device=nvidia.com/gpu=0,1");
    }
    assertThat(run(0, args.toArray(String[]::new)).out())
        .anyMatch(line -> line.contains("\"name\" : \"start\""))
        .anyMatch(line -> line.contains("\"type\" : \"Complete\""));
  }

  @ParameterizedTest
  @EnumSource
  void eachTemplateNamesItsFileAndItsJob(Template template) {
    assertThat(template.text("jobs/nightly-1.yml"))
        .contains("stint run jobs/nightly-1.yml", "  name: nightly-1\n")
        .doesNotContain("JOB_FILE", "JOB_NAME");
    assertThat(template.text("Not A Name.yaml")).contains("  name: job\n");
    assertThat(template.text("-")).contains("stint run job.yaml", "  name: job\n");
  }

  @Test
  void aFileIsNotNamedAsATemplate() {
    assertThat(run(2, "init", "gpu").err())
        .containsExactly(
            "stint: gpu is a template, not a file: stint init gpu.yaml --template gpu; or write ./gpu");
  }

  @Test
  void anExistingFileIsKept() throws Exception {
    Path file = Files.writeString(scratch.resolve("job.yaml"), "mine\n");
    assertThat(run(2, "init", file.toString()).err())
        .containsExactly(
            "stint: " + file + " exists; name another file, or replace it with --force");
    assertThat(file).hasContent("mine\n");
    run(0, "init", file.toString(), "--force");
    assertThat(Files.readString(file)).contains("kind: Job");
    assertThat(run(2, "init", scratch + "/none/job.yaml").err().getFirst())
        .contains("the directory does not exist");
  }

  @Test
  void standardOutputHoldsTheFileAlone() {
    Recorded recorded = run(0, "init", "-", "--template", "success-policy");
    assertThat(recorded.out()).contains("kind: Job", "  successPolicy:");
    assertThat(recorded.err()).isEmpty();
    assertThat(run(2, "init", "--template", "best").err().getFirst())
        .contains("use one of [plain, indexed, retries, success-policy, gpu]");
  }
}
