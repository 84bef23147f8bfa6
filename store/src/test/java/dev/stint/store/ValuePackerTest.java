package dev.stint.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.store.engine.SimulatedEngine;
import dev.stint.store.pack.ValuePacker;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ValuePackerTest {
  private final ValuePacker packer = new ValuePacker();

  @Test
  void whatIsLikeAnEarlierValueTakesLittle() {
    Entry first = packed("pods/default/a", pod("a"));
    Entry second = packed("pods/default/b", pod("b"));
    assertThat(first.isPacked()).as("the others are expressed by it").isFalse();
    assertThat(second.isPacked()).isTrue();
    assertThat(second.value()).isEqualTo(pod("b"));
    assertThat(second.length()).isEqualTo(pod("b").length);
    assertThat(packer.pack("pods/default/c", pod("c")))
        .isNotNull()
        .satisfies(packed -> assertThat(packed.steps().length).isLessThan(100));
  }

  @Test
  void whatIsLikeNothingStaysAsItIsAndIsWhatOthersAreComparedWith() {
    packed("pods/default/a", pod("a"));
    byte[] odd = noise(7);
    assertThat(packed("pods/default/odd", odd).isPacked()).isFalse();
    assertThat(packed("pods/default/odd-too", odd.clone()).isPacked()).isTrue();
  }

  @Test
  void shortAndHugeValuesStayAsTheyAre() {
    for (byte[] value : List.of(new byte[0], new byte[511], new byte[(64 << 10) + 1])) {
      packed("a/b", value);
      assertThat(packed("a/b", value).isPacked()).isFalse();
    }
    for (byte[] value : List.of(new byte[512], new byte[64 << 10])) {
      packed("c/d", value);
      assertThat(packed("c/d", value).value()).isEqualTo(value);
    }
  }

  @Test
  void everyValueComesBackWhateverItIs() {
    Random random = new Random(11);
    List<Entry> entries = new ArrayList<>();
    Map<String, byte[]> values = new HashMap<>();
    for (int i = 0; i < 2000; i++) {
      String key = "place-" + random.nextInt(300) + "/" + i;
      byte[] value = random.nextInt(4) == 0 ? noise(random.nextInt(9)) : pod("p" + i);
      values.put(key, value);
      entries.add(packed(key, value));
    }
    assertThat(entries).anyMatch(Entry::isPacked);
    assertThat(entries).allSatisfy(e -> assertThat(e.value()).isEqualTo(values.get(e.key())));
  }

  @Test
  void aStorePacksWhatItsLogHasForgottenAndNobodyNotices() throws Exception {
    StoreOptions options = new StoreOptions(10, 1 << 20, StoreOptions.Durability.STRICT);
    try (Store store = Store.open(new SimulatedEngine(), Runnable::run, options)) {
      for (int i = 0; i < 100; i++) {
        store.put("pods/default/" + i, pod("pod-" + i), Precondition.absent()).get();
      }
      store.put("pods/default/3", pod("changed"), Precondition.any()).get();
      assertThat(store.list("pods/").entries()).filteredOn(Entry::isPacked).hasSizeBetween(80, 95);
      assertThat(value(store, "pods/default/3")).isEqualTo(pod("changed"));
      assertThat(value(store, "pods/default/7")).isEqualTo(pod("pod-7"));
    }
  }

  private Entry packed(String key, byte[] value) {
    Entry entry = new Entry(key, value, 1, 1);
    entry.pack(packer);
    return entry;
  }

  private static byte[] value(Store store, String key) {
    return Objects.requireNonNull(store.get(key)).value();
  }

  private static byte[] pod(String name) {
    return IntStream.range(0, 60)
        .mapToObj(i -> "\"member" + i * i + "\":" + i)
        .collect(Collectors.joining(",", "{\"name\":\"" + name + "\",", "}"))
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] noise(int seed) {
    byte[] noise = new byte[1000];
    new Random(seed).nextBytes(noise);
    return noise;
  }
}
