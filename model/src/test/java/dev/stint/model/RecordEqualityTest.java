package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The records whose equality is written by hand: it counts every component. */
class RecordEqualityTest {
  /** Two records that differ in each component. */
  private record Pair(Record one, Record other) {}

  static Stream<Pair> pairs() {
    Instant noon = Instant.parse("2026-01-01T12:00:00Z");
    IndexSet some = IndexSet.of(1, 3);
    JobCondition complete = JobCondition.of(JobCondition.COMPLETE, "", "", noon);
    return Stream.of(
        new Pair(Kind.JOB, new Kind("acme.io", "v2", "Other", "others", false)),
        new Pair(
            new ObjectRef(Kind.JOB, "default", "a"), new ObjectRef(Kind.POD, "elsewhere", "b")),
        new Pair(
            JobStatus.EMPTY,
            new JobStatus(
                List.of(complete),
                noon,
                noon,
                1,
                1,
                1,
                1,
                1,
                some,
                some,
                new JobStatus.Uncounted(List.of("uid"), List.of()))));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void everyComponentCounts(Pair pair) throws ReflectiveOperationException {
    Object[] values = values(pair.one());
    assertThat(made(pair.one(), values)).isEqualTo(pair.one()).hasSameHashCodeAs(pair.one());
    Object[] others = values(pair.other());
    for (int i = 0; i < values.length; i++) {
      Object[] changed = values.clone();
      changed[i] = others[i];
      assertThat(made(pair.one(), changed)).isNotEqualTo(pair.one());
    }
  }

  private static Object[] values(Record record) throws ReflectiveOperationException {
    RecordComponent[] components = record.getClass().getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = components[i].getAccessor().invoke(record);
    }
    return values;
  }

  private static Object made(Record like, Object... values) throws ReflectiveOperationException {
    Class<?>[] types =
        Arrays.stream(like.getClass().getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    return like.getClass().getDeclaredConstructor(types).newInstance(values);
  }
}
