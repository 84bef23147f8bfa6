package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecentObjectsTest {
  private final RecentObjects objects = new RecentObjects(8, 32, 1000);
  private final Map<Integer, KubeObject> made = new HashMap<>();

  @Test
  void theNewestAreKept() {
    put(1, 20);
    assertThat(objects.get(12)).isNull();
    for (int revision = 13; revision <= 20; revision++) {
      assertThat(objects.get(revision)).isSameAs(made.get(revision));
    }
    assertThat(objects.get(21)).isNull();
  }

  @Test
  void whereManyAreMissedThatWereJustThereItGrowsToItsLimit() {
    put(1, 20);
    for (int i = 0; i < 4; i++) {
      objects.missed(10);
    }
    assertThat(objects.size()).isEqualTo(8);
    objects.missed(10);
    assertThat(objects.size()).isEqualTo(16);
    assertThat(objects.get(13)).as("what was known still is").isSameAs(made.get(13));
    put(21, 60);
    for (int i = 0; i < 100; i++) {
      objects.missed(40);
    }
    assertThat(objects.size()).isEqualTo(32);
  }

  @Test
  void itForgetsAllAndIsAsSmallAsAtFirst() {
    put(1, 20);
    for (int i = 0; i < 5; i++) {
      objects.missed(10);
    }
    objects.forget();
    assertThat(objects.size()).isEqualTo(8);
    assertThat(objects.get(20)).isNull();
    put(21, 21);
    assertThat(objects.get(21)).isSameAs(made.get(21));
  }

  @Test
  void whatIsOldOrYetToComeIsNoReasonToGrow() {
    put(1, 100);
    for (int i = 0; i < 100; i++) {
      objects.missed(10);
      objects.missed(101);
    }
    assertThat(objects.size()).isEqualTo(8);
  }

  @Test
  void theOldestAreEvictedWhileAllTogetherAreTooLong() {
    put(1, 11, 250);
    assertThat(objects.weight()).isEqualTo(1000);
    for (int revision = 1; revision <= 11; revision++) {
      assertThat(objects.get(revision) != null).isEqualTo(revision >= 8);
    }
    put(12, 12, 1000);
    assertThat(objects.get(12)).isNotNull();
    assertThat(objects.weight()).isEqualTo(1000);
    put(13, 30, 10);
    assertThat(objects.weight()).isEqualTo(80);
    put(31, 31, 950);
    assertThat(objects.weight()).isEqualTo(1000);
    assertThat(objects.get(25)).isNull();
    assertThat(objects.get(26)).isNotNull();
    objects.forget();
    assertThat(objects.weight()).isZero();
  }

  private void put(int first, int last) {
    put(first, last, 1);
  }

  private void put(int first, int last, int length) {
    for (int revision = first; revision <= last; revision++) {
      KubeObject object = KubeObject.of(Json.object().put("revision", revision));
      made.put(revision, object);
      objects.put(revision, object, length);
    }
  }
}
