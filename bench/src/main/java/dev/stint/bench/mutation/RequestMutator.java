package dev.stint.bench.mutation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** Makes mutated requests; the same ones for the same seed. */
public final class RequestMutator {
  /** Distances seeds of neighbouring requests (the golden ratio of 64 bits). */
  private static final long STEP = 0x9E3779B97F4A7C15L;

  private static final MutationKind[] KINDS = MutationKind.values();

  private final long seed;
  private final Map<MutationKind, List<HttpCall>> samples = new EnumMap<>(MutationKind.class);

  /** Creates a mutator whose requests depend only on the seed. */
  public RequestMutator(long seed) {
    this.seed = seed;
    List<HttpCall> all = SampleCalls.all();
    for (MutationKind kind : KINDS) {
      samples.put(kind, all.stream().filter(suitable(kind)).toList());
    }
  }

  private static Predicate<HttpCall> suitable(MutationKind kind) {
    return switch (kind) {
      case NOTHING, METHOD, PATH, QUERY, HEADER -> _ -> true;
      case SELECTOR -> call -> call.body().length == 0;
      case JSON_STRUCTURE, JSON_NUMBER, JSON_STRING, DUPLICATE_KEY, NESTING, SEVERAL ->
          HttpCall::hasJson;
      case BYTES -> call -> call.body().length > 0;
      case YAML -> call -> typeOf(call).contains("yaml");
      case PATCH -> call -> call.method().equals("PATCH");
      case PROTOBUF -> call -> typeOf(call).contains("protobuf");
    };
  }

  private static String typeOf(HttpCall call) {
    return call.headers().getOrDefault("Content-Type", "");
  }

  /** Returns the mutated request with this number. */
  public MutatedCall call(long index) {
    SplittableRandom random = new SplittableRandom(seed + index * STEP);
    MutationKind kind = KINDS[random.nextInt(KINDS.length)];
    HttpCall sample = JsonMutations.pick(samples.getOrDefault(kind, List.of()), random);
    return new MutatedCall(index, kind, mutated(kind, sample, random));
  }

  private static HttpCall mutated(MutationKind kind, HttpCall call, RandomGenerator random) {
    return switch (kind) {
      case NOTHING -> call;
      case METHOD -> HeadMutations.method(call, random);
      case PATH -> HeadMutations.path(call, random);
      case QUERY -> HeadMutations.query(call, random);
      case SELECTOR -> HeadMutations.selector(call, random);
      case HEADER -> HeadMutations.header(call, random);
      case BYTES, PROTOBUF -> call.withBody(TextMutations.bytes(call.body(), random));
      case YAML -> call.withBody(TextMutations.yaml(call.body(), random));
      case PATCH -> patch(call, random);
      case SEVERAL -> several(call, random);
      default -> json(kind, call, random);
    };
  }

  private static HttpCall json(MutationKind kind, HttpCall call, RandomGenerator random) {
    String text = new String(call.body(), UTF_8);
    String changed =
        switch (kind) {
          case JSON_NUMBER -> JsonMutations.number(text, random);
          case JSON_STRING -> JsonMutations.string(text, random);
          case DUPLICATE_KEY -> JsonMutations.duplicateKey(text, random);
          case NESTING -> JsonMutations.nesting(text, random);
          default -> JsonMutations.structure(text, random);
        };
    return call.withBody(changed.getBytes(UTF_8));
  }

  private static HttpCall patch(HttpCall call, RandomGenerator random) {
    MutationKind[] ways = {
      MutationKind.JSON_STRUCTURE,
      MutationKind.JSON_STRING,
      MutationKind.JSON_NUMBER,
      MutationKind.QUERY
    };
    HttpCall changed = call;
    for (int times = 1 + random.nextInt(3); times > 0; times--) {
      changed = mutated(ways[random.nextInt(ways.length)], changed, random);
    }
    return changed;
  }

  private static HttpCall several(HttpCall call, RandomGenerator random) {
    HttpCall changed = call;
    for (int times = 2 + random.nextInt(4); times > 0; times--) {
      MutationKind kind = KINDS[1 + random.nextInt(KINDS.length - 2)];
      changed = mutated(kind == MutationKind.PATCH ? MutationKind.BYTES : kind, changed, random);
    }
    return changed;
  }
}
