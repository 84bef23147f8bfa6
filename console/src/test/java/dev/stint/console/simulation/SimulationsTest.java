package dev.stint.console.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.console.simulation.Prediction.Runs;
import dev.stint.console.simulation.Prediction.WallTime;
import dev.stint.harness.JobBuilder;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class SimulationsTest {
  private static final KubeObject JOB = JobBuilder.indexed("hello").completions(2).build();
  private static final Runs RUNS =
      new Runs(40, 0.75, new WallTime(1000, 2500, 3000), "Like hello", "", "<svg/>");

  /** The work of a simulator, in the calling thread. */
  @FunctionalInterface
  private interface Course {
    Prediction take(Runnable goesOn);
  }

  private record Fake(String obstacle, Course course) implements JobSimulator {
    @Override
    public String obstacle(KubeObject job) {
      return obstacle;
    }

    @Override
    public Prediction simulate(
        KubeObject job, List<ContainerAttemptView> attempts, Runnable goesOn) {
      return course.take(goesOn);
    }

    @Override
    public String command(KubeObject job) {
      return "stint simulate FILE";
    }
  }

  /** A client that may leave. */
  private static final class Client implements ApiResponse.Sink {
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private final List<Runnable> onClose = new ArrayList<>();

    @Override
    public void write(byte[] bytes) {
      read.writeBytes(bytes);
    }

    @Override
    public void onClose(Runnable task) {
      onClose.add(task);
    }

    void leave() {
      onClose.forEach(Runnable::run);
    }

    JsonNode answer() {
      return Json.parse(read.toString(UTF_8));
    }
  }

  private static Simulations simulations(Course course) {
    return new Simulations(new Fake("", course));
  }

  private static JsonNode answer(Simulations simulations) throws Exception {
    Client client = new Client();
    ask(simulations, client);
    return client.answer();
  }

  private static void ask(Simulations simulations, Client client)
      throws IOException, InterruptedException {
    ((ApiResponse.Streamed) simulations.of(JOB, List::of)).body().writeTo(client);
  }

  @Test
  void theFiguresComeWithTheNameOfTheirPicture() throws Exception {
    Simulations simulations = simulations(_ -> RUNS);
    JsonNode found = answer(simulations);
    assertThat(found.at("/seconds")).hasToString("{\"p50\":1.0,\"p90\":2.5,\"p99\":3.0}");
    assertThat(found.get("complete").asDouble()).isEqualTo(0.75);
    assertThat(found.get("command").asString()).isEqualTo("stint simulate FILE");
    String name = found.get("picture").asString().replaceFirst("simulations/", "");
    ApiResponse.Whole picture = (ApiResponse.Whole) simulations.picture(name);
    assertThat(picture.type()).isEqualTo("image/svg+xml");
    assertThat(picture.body()).asString(UTF_8).isEqualTo("<svg/>");
    assertThat(picture.headers())
        .singleElement()
        .satisfies(
            policy -> assertThat(policy.value()).contains("style-src 'unsafe-inline'; sandbox"));
  }

  @Test
  void onlyTheLastPicturesAreKept() throws Exception {
    List<Integer> made = new ArrayList<>();
    Simulations simulations =
        simulations(_ -> {
          made.add(0);
          return new Runs(1, 1, new WallTime(1, 1, 1), "", "", "<svg id='" + made.size() + "'/>");
        });
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      names.add(answer(simulations).get("picture").asString().replaceFirst("simulations/", ""));
    }
    assertThat(simulations.picture(names.get(0)).code()).isEqualTo(404);
    assertThat(simulations.picture(names.get(1)).code()).isEqualTo(200);
  }

  @Test
  void anObstacleIsSaidWithoutASimulation() {
    Simulations simulations =
        new Simulations(
            new Fake(
                "it is too large",
                _ -> {
                  throw new AssertionError("simulated");
                }));
    ApiResponse.Whole answer = (ApiResponse.Whole) simulations.of(JOB, List::of);
    assertThat(Json.read(answer.body()).get("why").asString()).isEqualTo("it is too large");
    assertThat(new Simulations(null).of(JOB, List::of).code()).isEqualTo(404);
  }

  @Test
  void oneSimulationRunsAtATimeAndNotOnTheThreadOfTheRequest() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    Simulations simulations =
        simulations(_ -> {
          threads.add(Thread.currentThread());
          begun.countDown();
          await(end);
          return RUNS;
        });
    FutureTask<JsonNode> first = new FutureTask<>(() -> answer(simulations));
    Thread request = Thread.ofVirtual().start(first);
    begun.await();
    assertThat(answer(simulations).get("why").asString()).contains("try again");
    end.countDown();
    assertThat(first.get().get("runs").asInt()).isEqualTo(40);
    assertThat(threads).singleElement().isNotSameAs(request);
    assertThat(threads.getFirst().isVirtual()).isFalse();
    assertThat(answer(simulations).get("runs").asInt()).isEqualTo(40);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aSimulationEndsWhenItsClientLeaves() throws Exception {
    Client client = new Client();
    Simulations simulations =
        simulations(goesOn -> {
          goesOn.run();
          client.leave();
          goesOn.run();
          throw new AssertionError("went on");
        });
    assertThatExceptionOfType(InterruptedIOException.class)
        .isThrownBy(() -> ask(simulations, client));
    assertThat(client.read.size()).isZero();
  }

  @Test
  void aClientThatCannotBeWrittenToHasLeft() throws Exception {
    CountDownLatch left = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Simulations simulations =
        new Simulations(
            new Fake(
                "",
                goesOn -> {
                  await(left);
                  try {
                    while (true) {
                      goesOn.run();
                      Thread.onSpinWait();
                    }
                  } finally {
                    ended.countDown();
                  }
                }),
            Duration.ofMillis(1));
    ApiResponse.Sink broken =
        new ApiResponse.Sink() {
          @Override
          public void write(byte[] bytes) throws IOException {
            assertThat(bytes).asString().isBlank();
            left.countDown();
            throw new IOException("broken pipe");
          }

          @Override
          public void onClose(Runnable task) {}
        };
    ApiResponse.Streamed answer = (ApiResponse.Streamed) simulations.of(JOB, List::of);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> answer.body().writeTo(broken))
        .withMessage("broken pipe");
    ended.await();
  }

  @Test
  void aFaultIsLoggedAndTheNextSimulationRuns() throws Exception {
    List<Integer> asked = new ArrayList<>();
    Simulations simulations =
        simulations(_ -> {
          asked.add(0);
          if (asked.size() == 1) {
            throw new IllegalStateException("a fault");
          }
          return RUNS;
        });
    assertThat(answer(simulations).get("why").asString()).contains("has failed");
    assertThat(answer(simulations).get("runs").asInt()).isEqualTo(40);
  }
}
