package dev.stint.apiserver.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.User;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that read many objects take more seats. */
class WorkEstimateTest {
  @ParameterizedTest
  @CsvSource({
    "list, '', 0, 0, 1",
    "list, '', 0, 100, 1",
    "list, '', 0, 101, 2",
    "list, '', 0, 100000, 10",
    "list, '', 250, 100000, 3",
    "list, a, 0, 100000, 1",
    "deletecollection, '', 0, 500, 5",
    "get, a, 0, 100000, 1",
    "watch, '', 0, 100000, 1",
  })
  void seatsFollowFromTheNumberOfObjects(
      String verb, String name, long limit, int objects, int seats) {
    RequestAttributes request =
        new RequestAttributes(User.of("jane"), verb, "", "v1", "pods", "", "default", name, null);
    assertThat(
            WorkEstimate.seats(
                request,
                limit,
                (group, resource, namespace) ->
                    (group + resource + namespace).equals("podsdefault") ? objects : 0))
        .isEqualTo(seats);
  }
}
