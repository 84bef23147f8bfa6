package dev.stint.cli.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.documents.Document.Block;
import dev.stint.cli.documents.Document.Step;
import java.util.List;
import org.junit.jupiter.api.Test;

class DocumentTest {
  @Test
  void commandsGoWithTheTextThatFollows() {
    assertThat(
            steps(
                """
                # A title
                ```sh
                stint ls
                ```

                tells

                ```text
                NAME
                ```
                """))
        .containsExactly(new Step.Run(2, "stint ls\n", 0, List.of("NAME")));
  }

  @Test
  void aTextBlockAfterAnotherBlockIsNoOutput() {
    assertThat(
            steps(
                """
                ```sh
                stint ls
                ```
                ```yaml
                kind: Job
                ```
                ```text
                NAME
                ```
                """))
        .containsExactly(new Step.Run(1, "stint ls\n", 0, List.of()));
  }

  @Test
  void aCommentSetsTheExpectedExitStatus() {
    assertThat(
            steps(
                """
                ```sh
                stint run job.yaml    # exit status 1
                ```
                """))
        .singleElement()
        .isEqualTo(new Step.Run(1, "stint run job.yaml    # exit status 1\n", 1, List.of()));
  }

  @Test
  void aBlockThatNamesAFileIsWrittenToIt() {
    assertThat(
            steps(
                """
                ```yaml
                # file: job.yaml
                kind: Job
                ```
                ```yaml
                kind: Job
                ```
                """))
        .containsExactly(new Step.Write(1, "job.yaml", "# file: job.yaml\nkind: Job\n"));
  }

  @Test
  void markedCommandsAreNotRunAndHaveAReason() {
    Document document =
        document(
            """
            <!-- not run: takes a week -->
            ```sh
            sleep 1w
            ```
            """);
    assertThat(document.steps()).isEmpty();
    assertThat(document.blocks())
        .singleElement()
        .satisfies(block -> assertThat(block.notRun()).contains("takes a week"));
  }

  @Test
  void aMarkAppliesToTheNextBlockOnly() {
    assertThat(
            steps(
                """
                <!-- not run: takes a week -->

                ```sh
                sleep 1w
                ```

                ```sh
                true
                ```
                """))
        .containsExactly(new Step.Run(7, "true\n", 0, List.of()));
    assertThat(
            steps(
                """
                <!-- not run: takes a week -->

                Text in between.

                ```sh
                true
                ```
                """))
        .hasSize(1);
  }

  @Test
  void aBlockMayBeIndented() {
    assertThat(
            document(
                    """
                    - An item:
                      ```sh
                      if true; then
                        true
                      fi
                      ```
                    """)
                .blocks())
        .map(Block::lines)
        .containsExactly(List.of("if true; then", "  true", "fi"));
  }

  @Test
  void aBlockThatNeverEndsIsRefused() {
    assertThatThrownBy(() -> document("text\n```sh\ntrue\n")).hasMessageContaining("line 2");
  }

  @Test
  void onlyASingleAmpersandAtTheEndOfALineStartsABackgroundProcess() {
    assertThat(run("stint up &").leavesSomething()).isTrue();
    assertThat(run("stint up &   # serves").leavesSomething()).isTrue();
    assertThat(run("true &&\ntrue").leavesSomething()).isFalse();
    assertThat(run("kubectl get pods").needs("kubectl")).isTrue();
    assertThat(run("echo kubectl-like").needs("kubectl")).isFalse();
  }

  private static Step.Run run(String commands) {
    return new Step.Run(1, commands, 0, List.of());
  }

  private static List<Step> steps(String text) {
    return document(text).steps();
  }

  private static Document document(String text) {
    return Document.of(text.lines().toList());
  }
}
