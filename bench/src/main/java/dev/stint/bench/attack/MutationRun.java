package dev.stint.bench.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.stint.bench.mutation.HttpCall;
import dev.stint.bench.mutation.MutatedCall;
import dev.stint.bench.mutation.RequestMutator;
import dev.stint.bench.mutation.Tally;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Sends mutated requests to a server of its own, over HTTP/1.1 and HTTP/2 in turns. */
final class MutationRun {
  private static final int THREADS = 8;
  private static final int ANSWER_TIMEOUT_MILLIS = 30_000;
  private static final List<String> CLEARED =
      List.of(
          "batch/v1/jobs",
          "batch/v1/cronjobs",
          "v1/pods",
          "v1/configmaps",
          "v1/secrets",
          "v1/events");

  private final Path launcher;
  private final long requests;
  private final RequestMutator mutator;
  private final long seed;
  private final Tally http1 = new Tally();
  private final Tally http2 = new Tally();

  /** Counts of requests without an answer, by reason. */
  private final ConcurrentMap<String, LongAdder> unanswered = new ConcurrentHashMap<>();

  private final AtomicLong next = new AtomicLong();
  private final AtomicLong findings = new AtomicLong();

  private MutationRun(Path launcher, long requests, long seed) {
    this.launcher = launcher;
    this.requests = requests;
    this.seed = seed;
    this.mutator = new RequestMutator(seed);
  }

  /** Reads the options {@code --requests N} and {@code --seed S}. */
  static MutationRun of(Path launcher, List<String> options) {
    return new MutationRun(
        launcher, option(options, "--requests", 100_000), option(options, "--seed", 1));
  }

  private static long option(List<String> options, String name, long otherwise) {
    int at = options.indexOf(name);
    return at < 0 ? otherwise : Long.parseLong(options.get(at + 1));
  }

  /** Returns true if the server has answered everything as it should. */
  boolean run() throws Exception {
    Path directory = Files.createTempDirectory("stint-attack-mutate");
    try (AttackedServer target =
        AttackedServer.up(launcher, directory, "1g", List.of("--runtime", "none"))) {
      long start = System.nanoTime();
      String token = target.adminToken();
      List<CompletableFuture<?>> all = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        boolean second = i % 2 == 1;
        all.add(
            CompletableFuture.runAsync(
                () -> send(target, token, second), task -> Thread.ofPlatform().start(task)));
      }
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
      print(target, Duration.ofNanos(System.nanoTime() - start));
      return findings.get() == 0 && target.isAlive() && target.faults().isEmpty();
    }
  }

  private void print(AttackedServer target, Duration taken) throws IOException {
    System.out.printf("Seed %d, %,d requests in %s%n%n", seed, next.get(), taken);
    System.out.printf("HTTP/1.1%n%n%s%nHTTP/2%n%n%s%n", http1.table(), http2.table());
    unanswered.forEach((why, count) -> System.out.printf("no answer, %d × %s%n", count.sum(), why));
    System.out.printf(
        "findings: %d; the server %s; RSS %d MB, heap %d of 1024 MB; faults in its log: %s%n",
        findings.get(),
        target.isAlive() ? "lives" : "is dead",
        target.highestResident() >> 20,
        target.highestHeap(),
        target.faults());
  }

  private void send(AttackedServer target, String token, boolean second) {
    try (Sender sender = second ? new Http2Sender(target, token) : new Http1Sender(target, token)) {
      for (long index = next.getAndIncrement(); index < requests; index = next.getAndIncrement()) {
        if (index % 5_000 == 0) {
          clear(target, token);
        }
        send(sender, mutator.call(index), second ? http2 : http1);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void send(Sender sender, MutatedCall call, Tally tally) {
    try {
      Answer answer = sender.send(call.call());
      tally.add(call.kind(), answer.code());
      if (answer.code() >= 500 && answer.code() != 504) {
        report(call, "%d over %s: %s".formatted(answer.code(), sender, answer.text()));
      }
    } catch (IOException failed) {
      tally.add(call.kind(), Tally.NONE);
      String why =
          "%s, %s: %s"
              .formatted(
                  sender,
                  call.call().mayStream() ? "an answer that is left unread" : "a whole answer",
                  String.valueOf(failed.getMessage()).replaceAll("[0-9]+", "N"));
      unanswered.computeIfAbsent(why, _ -> new LongAdder()).increment();
      if (String.valueOf(failed.getMessage()).contains("timed out")) {
        report(call, "no answer in time");
      }
    } catch (IllegalArgumentException unsendable) {
      // This client cannot send it.
    }
  }

  private void report(MutatedCall call, String answer) {
    findings.incrementAndGet();
    System.out.printf(
        "FINDING seed %d index %d: %s: %s%n", seed, call.index(), answer, call.call());
  }

  /** Deletes what requests have created, so that the server does not fill up. */
  private static void clear(AttackedServer target, String token) throws IOException {
    try (ApiClient admin = target.client(RawConnection.BYSTANDER, token)) {
      for (String resource : CLEARED) {
        int slash = resource.lastIndexOf('/');
        String root = resource.startsWith("v1") ? "/api/" : "/apis/";
        admin.send(
            "DELETE",
            root
                + resource.substring(0, slash)
                + "/namespaces/default"
                + resource.substring(slash)
                + "?gracePeriodSeconds=0",
            "");
      }
    }
  }

  /**
   * An answer.
   *
   * @param text its body; "" if that does not matter
   */
  private record Answer(int code, String text) {}

  /** Sends requests and returns their answers. */
  private interface Sender extends AutoCloseable {
    Answer send(HttpCall call) throws IOException;

    @Override
    void close();
  }

  /** Sends every byte as it is, on a connection that stays open while it can. */
  private static final class Http1Sender implements Sender {
    private final AttackedServer target;
    private final String token;
    private @Nullable RawConnection connection;

    Http1Sender(AttackedServer target, String token) {
      this.target = target;
      this.token = token;
    }

    @Override
    public Answer send(HttpCall call) throws IOException {
      RawConnection used =
          connection == null ? target.connect("http/1.1", ANSWER_TIMEOUT_MILLIS) : connection;
      connection = null;
      try {
        used.send(bytes(call));
        RawConnection.Head head = used.head();
        if (head.code() < 200 || call.mayStream() && !head.isWhole()) {
          used.close();
          return new Answer(head.code(), "");
        }
        String text = "";
        if (!call.method().equals("HEAD") && head.code() != 204 && head.code() != 304) {
          text = used.body(head);
        }
        if ("close".equals(head.headers().get("connection"))) {
          used.close();
        } else {
          connection = used;
        }
        return new Answer(head.code(), text);
      } catch (IOException failed) {
        used.close();
        throw failed;
      }
    }

    private byte[] bytes(HttpCall call) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      StringBuilder head = new StringBuilder();
      head.append("%s %s HTTP/1.1\r\nHost: localhost\r\n".formatted(call.method(), call.target()));
      if (!call.headers().containsKey("Authorization")) {
        head.append("Authorization: Bearer ").append(token).append("\r\n");
      }
      call.headers()
          .forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
      head.append("Content-Length: ").append(call.body().length).append("\r\n\r\n");
      all.writeBytes(head.toString().getBytes(ISO_8859_1));
      all.writeBytes(call.body());
      return all.toByteArray();
    }

    @Override
    public String toString() {
      return "HTTP/1.1";
    }

    @Override
    public void close() {
      if (connection != null) {
        connection.close();
      }
    }
  }

  /** Sends what the JDK's client can express; it refuses some characters. */
  private static final class Http2Sender implements Sender {
    private final String base;
    private final String token;
    private final HttpClient http;

    Http2Sender(AttackedServer target, String token) throws IOException {
      this.base = target.url();
      this.token = token;
      this.http =
          HttpClient.newBuilder()
              .sslContext(AttackedServer.tls())
              .version(HttpClient.Version.HTTP_2)
              .build();
    }

    @Override
    public Answer send(HttpCall call) throws IOException {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(base + call.target()))
              .method(call.method(), BodyPublishers.ofByteArray(call.body()));
      if (!call.headers().containsKey("Authorization")) {
        request.header("Authorization", "Bearer " + token);
      }
      call.headers().forEach(request::header);
      try {
        HttpResponse<String> answer =
            http.sendAsync(
                    request.build(), call.mayStream() ? _ -> unread() : BodyHandlers.ofString())
                .get(ANSWER_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        return new Answer(answer.statusCode(), answer.body());
      } catch (TimeoutException late) {
        throw new IOException("timed out", late);
      } catch (ExecutionException failed) {
        throw new IOException(failed.getCause());
      } catch (InterruptedException stop) {
        throw new IOException(stop);
      }
    }

    @Override
    public String toString() {
      return "HTTP/2";
    }

    @Override
    public void close() {
      http.shutdownNow();
    }
  }

  /** Ends the stream as soon as its head has come. */
  private static BodySubscriber<String> unread() {
    return BodySubscribers.mapping(
        BodySubscribers.ofInputStream(),
        body -> {
          try (body) {
            return "";
          } catch (IOException gone) {
            return "";
          }
        });
  }
}
