package dev.stint.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class FieldSetsTest {
  @Test
  void areSetsOfPaths() {
    for (long seed = 0; seed < 2000; seed++) {
      Random random = new Random(seed);
      ObjectNode one = set(random, 3);
      ObjectNode other = set(random, 3);
      String copies = one + " " + other;
      Set<String> union = paths(one);
      union.addAll(paths(other));
      Set<String> minus = paths(one);
      minus.removeAll(paths(other));
      Set<String> common = paths(one);
      common.retainAll(paths(other));
      assertThat(paths(FieldSets.union(one, other))).as("seed %d", seed).isEqualTo(union);
      assertThat(paths(FieldSets.minus(one, other))).as("seed %d", seed).isEqualTo(minus);
      assertThat(paths(FieldSets.common(one, other))).as("seed %d", seed).isEqualTo(common);
      assertThat(FieldSets.minus(FieldSets.union(one, other), FieldSets.union(other, one)))
          .as("seed %d", seed)
          .isEmpty();
      assertThat(FieldSets.isSet(FieldSets.union(one, other))).isTrue();
      ObjectNode third = set(random, 3);
      assertThat(FieldSets.union(List.of(one, other, third)))
          .as("seed %d", seed)
          .isEqualTo(FieldSets.union(FieldSets.union(one, other), third));
      assertThat(one + " " + other).as("seed %d", seed).isEqualTo(copies);
    }
  }

  @Test
  void shareWhatStays() {
    ObjectNode one = Sample.tree("{'f:a':{'f:b':{}},'f:c':{}}");
    assertThat(FieldSets.minus(one, Sample.tree("{'f:d':{}}"))).isSameAs(one);
    assertThat(FieldSets.minus(one, Sample.tree("{'f:c':{}}")).get("f:a")).isSameAs(one.get("f:a"));
  }

  @Test
  void readAsPaths() {
    ObjectNode set =
        Sample.tree(
            "{'f:spec':{'f:parallelism':{}},'f:metadata':{'f:finalizers':{'.':{},'v:\\\"x\\\"':{}}}}");
    ObjectNode items = set.putObject("f:l");
    items.putObject("k:{\"containerPort\":80,\"protocol\":\"TCP\"}").putObject("f:name");
    assertThat(FieldPaths.of(set))
        .containsExactly(
            ".spec.parallelism",
            ".metadata.finalizers",
            ".metadata.finalizers[=\"x\"]",
            ".l[containerPort=80,protocol=\"TCP\"].name");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[]", "{'x':{}}", "{'f:a':1}", "{'.':{'f:a':{}}}", "{'k:1':{}}", "{'k:{':{}}"})
  void refuseOtherTrees(String tree) {
    assertThat(FieldSets.isSet(Sample.value(tree))).isFalse();
  }

  private static Set<String> paths(ObjectNode set) {
    return new TreeSet<>(FieldPaths.of(set));
  }

  /** Returns a random set whose inner fields may be members. */
  private static ObjectNode set(Random random, int depth) {
    ObjectNode set = Json.object();
    for (char name = 'a'; name < 'e'; name++) {
      if (random.nextInt(2) == 0) {
        ObjectNode below = depth == 0 ? Json.object() : set(random, depth - 1);
        if (!below.isEmpty() && random.nextBoolean()) {
          below.putObject(FieldSets.SELF);
        }
        set.set("f:" + name, below);
      }
    }
    return set;
  }
}
