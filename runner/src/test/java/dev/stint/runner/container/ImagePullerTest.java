package dev.stint.runner.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.transport.DockerHttpClient.Response;
import dev.stint.harness.TestTime;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.DaemonException.Reason;
import dev.stint.runner.container.daemon.ImageRef;
import dev.stint.runner.container.daemon.LocalImage;
import dev.stint.runner.container.daemon.PullSecrets.Credentials;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImagePullerTest {
  private static final ImageRef NAME = ImageRef.parse("r.example/a/app:1").orElseThrow();
  private static final Credentials OWN = new Credentials("a", "secret", "r.example", "");

  /** A daemon, and a registry that knows one user. */
  private static final class PrivateRegistry implements ImagePuller.Images {
    final List<String> pulls = new ArrayList<>();
    boolean present;
    Runnable onPresent = () -> {};
    boolean goesAway;

    @Override
    public LocalImage image(String name) throws DaemonException {
      if (!present) {
        throw new DaemonException(Reason.MISSING, "no such image", null);
      }
      return new LocalImage(name, "sha256:1", "", "", 0);
    }

    @Override
    public Response pull(ImageRef image, @Nullable Credentials credentials) throws DaemonException {
      pulls.add(String.valueOf(credentials));
      boolean allowed = OWN.equals(credentials);
      if (allowed) {
        present = true;
        onPresent.run();
      }
      if (goesAway) {
        throw new DaemonException(Reason.AWAY, "away", null);
      }
      String answer = allowed ? "{\"status\": \"done\"}" : "{\"error\": \"unauthorized\"}";
      return new GivenAnswer(new ByteArrayInputStream(answer.getBytes(UTF_8)));
    }
  }

  @TempDir Path dir;
  private final PrivateRegistry registry = new PrivateRegistry();
  private ImagePuller puller;

  @BeforeEach
  void open() throws Exception {
    PulledImages pulled = PulledImages.open(dir.resolve("data/pulled-images"), new Random(1));
    puller = new ImagePuller(registry, pulled, Runnable::run, new TestTime());
    Files.createDirectories(dir.resolve("data"));
  }

  @Test
  void anImageThatIsThereNeedsNoPull() {
    registry.present = true;
    assertThat(get(PullPolicy.IF_NOT_PRESENT)).isCompleted();
    assertThat(get(PullPolicy.NEVER)).isCompleted();
    assertThat(registry.pulls).isEmpty();
  }

  @Test
  void anImageThatOnesSecretHasPulledIsNotForPodsWithoutIt() throws Exception {
    assertThat(get(PullPolicy.IF_NOT_PRESENT, OWN)).isCompleted();
    for (int life = 0; life < 2; life++) {
      assertThat(failure(get(PullPolicy.IF_NOT_PRESENT))).startsWith("ErrImagePull: ");
      assertThat(failure(get(PullPolicy.NEVER)))
          .startsWith("ErrImageNeverPull: ")
          .contains("was pulled with credentials that this pod does not have");
      assertThat(get(PullPolicy.IF_NOT_PRESENT, OWN)).isCompleted();
      assertThat(get(PullPolicy.NEVER, OWN)).isCompleted();
      open();
    }
    assertThat(registry.pulls).containsExactly("a@r.example", "null", "null");
  }

  @Test
  void anImageIsNotForOthersWhileItIsPulledEither() {
    List<CompletableFuture<?>> meanwhile = new ArrayList<>();
    registry.onPresent = () -> meanwhile.add(get(PullPolicy.IF_NOT_PRESENT));
    assertThat(get(PullPolicy.IF_NOT_PRESENT, OWN)).isCompleted();
    assertThat(meanwhile).singleElement().matches(CompletableFuture::isCompletedExceptionally);
    assertThat(registry.pulls).containsExactly("a@r.example", "null");
  }

  @Test
  void aPullThatWasCutOffMayHaveBroughtTheImage() throws Exception {
    registry.goesAway = true;
    assertThat(get(PullPolicy.ALWAYS, OWN)).isCompletedExceptionally();
    registry.goesAway = false;
    open();
    assertThat(failure(get(PullPolicy.IF_NOT_PRESENT))).startsWith("ErrImagePull: ");
    assertThat(get(PullPolicy.IF_NOT_PRESENT, OWN)).isCompleted();
  }

  @Test
  void anImageThatIsBroughtAfterACutOffPullWithoutCredentialsIsForAllPods() throws Exception {
    registry.goesAway = true;
    assertThat(get(PullPolicy.IF_NOT_PRESENT)).isCompletedExceptionally();
    registry.goesAway = false;
    registry.present = true;
    assertThat(get(PullPolicy.NEVER)).isCompleted();
    open();
    assertThat(get(PullPolicy.NEVER)).isCompleted();
  }

  @Test
  void nothingIsPulledThatCannotBeRecorded() throws Exception {
    Files.delete(dir.resolve("data"));
    assertThat(failure(get(PullPolicy.ALWAYS, OWN)))
        .startsWith("ErrImagePull: ")
        .contains("cannot record that it is pulled");
    assertThat(registry.pulls).isEmpty();
  }

  private CompletableFuture<ImagePuller.Got> get(PullPolicy policy, Credentials... credentials) {
    return puller.get(NAME, policy, List.of(credentials), () -> {});
  }

  private static String failure(CompletableFuture<?> got) {
    ImagePuller.NotThere failure = (ImagePuller.NotThere) got.exceptionNow();
    return failure.reason() + ": " + failure.getMessage();
  }
}
