package dev.stint.apiserver.http.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.http.view.ContentNegotiation.As;
import dev.stint.apiserver.http.view.ContentNegotiation.Format;
import dev.stint.apiserver.http.view.ContentNegotiation.Offer;
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
        "''                                                                     | OBJECT        | JSON",
        "application/json                                                       | OBJECT        | JSON",
        "*/*                                                                    | OBJECT        | JSON",
        "application/vnd.kubernetes.protobuf, */*                               | OBJECT        | PROTOBUF",
        "application/vnd.kubernetes.protobuf;q=0.5, application/json;q=0.8      | OBJECT        | JSON",
        "application/json;q=0.5, application/vnd.kubernetes.protobuf;q=0.8      | OBJECT        | PROTOBUF",
        "application/vnd.kubernetes.protobuf;type=watch,application/json        | OBJECT        | PROTOBUF",
        "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1 | METADATA | PROTOBUF",
        "application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1,application/json;as=Table;g=meta.k8s.io;v=v1 | TABLE | JSON",
        "application/yaml                                                       | OBJECT        | YAML",
        "text/html;q=0.9, application/json;q=0                                  , application/yaml | OBJECT | YAML",
        "application/json;as=Table;v=v1;g=meta.k8s.io,application/json          | TABLE         | JSON",
        "application/json;g=meta.k8s.io;v=v1;as=PartialObjectMetadata           | METADATA      | JSON",
        "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1       | METADATA_LIST | JSON",
        "application/json;as=Nothing;g=meta.k8s.io;v=v1, application/json       | OBJECT        | JSON",
        "*/*, application/yaml                                                  | OBJECT        | YAML",
        "application/yaml;q=0.5, application/json;q=0.8                         | OBJECT        | JSON",
        "application/json, application/json;as=Table;v=v1;g=meta.k8s.io;q=0.5   | OBJECT        | JSON",
        "application/json;as=Table;g=meta.k8s.io, application/yaml              | OBJECT        | YAML",
      })
  void theBestFormThatThereIsIsTaken(String header, As as, Format format) {
    assertThat(ContentNegotiation.of(header, Offer.KEPT, true))
        .isEqualTo(new ContentNegotiation(as, format));
  }

  @ParameterizedTest
  @CsvSource({
    "application/json;as=Table;v=v1;g=meta.k8s.io, WITHOUT_TABLES",
    "application/json;as=Table;v=v1;g=meta.k8s.io, PLAIN",
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io, PLAIN",
    "application/yaml, WATCH",
    "application/vnd.kubernetes.protobuf, WEB_SOCKET",
    "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io, KEPT",
  })
  void notEverythingComesInEveryForm(String header, Offer offer) {
    assertThat(ContentNegotiation.find(header, offer, true)).isEmpty();
    assertThat(ContentNegotiation.find(header + ",application/json", offer, true))
        .contains(ContentNegotiation.PLAIN);
  }

  @Test
  void whatHasNoMessageHasOnlyMetadataInProtobuf() {
    String protobuf = "application/vnd.kubernetes.protobuf";
    assertThat(ContentNegotiation.find(protobuf, Offer.KEPT, false)).isEmpty();
    assertThat(ContentNegotiation.find(protobuf + ",application/json", Offer.KEPT, false))
        .contains(ContentNegotiation.PLAIN);
    assertThat(
            ContentNegotiation.find(
                protobuf + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1", Offer.KEPT, false))
        .contains(new ContentNegotiation(As.METADATA_LIST, Format.PROTOBUF));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/vnd.kubernetes.protobuf;q=0",
        "application/json;q=0",
        ";",
        "application/json;as=Table",
        "application/json;as=Table;v=v1",
        "application/json;as=Table;v=v2;g=meta.k8s.io"
      })
  void whatThereIsNotIsNotAcceptable(String header) {
    assertThatThrownBy(() -> ContentNegotiation.of(header, Offer.KEPT, true))
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
