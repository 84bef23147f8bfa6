package dev.stint.apiserver.http.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.http.handler.ContentNegotiation.As;
import dev.stint.apiserver.http.handler.ContentNegotiation.Offer;
import dev.stint.cluster.ClusterException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentNegotiationTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                                                     | OBJECT        | false",
        "application/json                                                       | OBJECT        | false",
        "*/*                                                                    | OBJECT        | false",
        "application/vnd.kubernetes.protobuf, */*                               | OBJECT        | false",
        "application/yaml                                                       | OBJECT        | true",
        "text/html;q=0.9, application/json;q=0                                  , application/yaml | OBJECT | true",
        "application/json;as=Table;v=v1;g=meta.k8s.io,application/json          | TABLE         | false",
        "application/json;g=meta.k8s.io;v=v1;as=PartialObjectMetadata           | METADATA      | false",
        "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1       | METADATA_LIST | false",
        "application/json;as=Nothing;g=meta.k8s.io;v=v1, application/json       | OBJECT        | false",
        "*/*, application/yaml                                                  | OBJECT        | true",
        "application/yaml;q=0.5, application/json;q=0.8                         | OBJECT        | false",
        "application/json, application/json;as=Table;v=v1;g=meta.k8s.io;q=0.5   | OBJECT        | false",
        "application/json;as=Table;g=meta.k8s.io, application/yaml              | OBJECT        | true",
      })
  void theBestFormThatThereIsIsTaken(String header, As as, boolean yaml) {
    assertThat(ContentNegotiation.of(header, Offer.KEPT))
        .isEqualTo(new ContentNegotiation(as, yaml));
  }

  @ParameterizedTest
  @CsvSource({
    "application/json;as=Table;v=v1;g=meta.k8s.io, WITHOUT_TABLES",
    "application/json;as=Table;v=v1;g=meta.k8s.io, PLAIN",
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io, PLAIN",
    "application/yaml, WATCH",
  })
  void notEverythingComesInEveryForm(String header, Offer offer) {
    assertThat(ContentNegotiation.find(header, offer)).isEmpty();
    assertThat(ContentNegotiation.find(header + ",application/json", offer))
        .contains(ContentNegotiation.PLAIN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/vnd.kubernetes.protobuf",
        "application/json;q=0",
        ";",
        "application/json;as=Table",
        "application/json;as=Table;v=v1",
        "application/json;as=Table;v=v2;g=meta.k8s.io"
      })
  void whatThereIsNotIsNotAcceptable(String header) {
    assertThatThrownBy(() -> ContentNegotiation.of(header, Offer.KEPT))
        .isInstanceOfSatisfying(
            ClusterException.class,
            refusal ->
                assertThat(refusal.reason()).isEqualTo(ClusterException.Reason.NOT_ACCEPTABLE));
  }

  @Test
  void aTypeIsNamedWhateverTheOrderOfItsParameters() {
    String type = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    assertThat(
            ContentNegotiation.names(
                "text/plain, application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io",
                type))
        .isTrue();
    assertThat(ContentNegotiation.names("application/json", type)).isFalse();
  }
}
