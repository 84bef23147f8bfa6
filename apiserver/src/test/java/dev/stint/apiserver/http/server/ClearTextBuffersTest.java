package dev.stint.apiserver.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.Test;

class ClearTextBuffersTest {
  private final ClearTextBuffers buffers = new ClearTextBuffers(new ArrayByteBufferPool());

  private ByteBuffer used(boolean direct) {
    RetainableByteBuffer buffer = buffers.acquire(8_192, direct);
    ByteBuffer memory = buffer.getByteBuffer();
    buffer.release();
    return memory;
  }

  @Test
  void clearTextIsReadIntoMemoryThatNobodyElseGets() {
    ByteBuffer first = used(false);
    assertThat(first.isDirect()).isFalse();
    assertThat(used(false).array()).isNotSameAs(first.array());
  }

  /** Web sockets take the buffers of the server, other connections those of the connector. */
  @Test
  void theServerReadsIntoThem() {
    Server jetty = HttpServer.jetty();
    assertThat(jetty.getByteBufferPool()).isInstanceOf(ClearTextBuffers.class);
    try (KeepAliveConnector connector = new KeepAliveConnector(jetty)) {
      assertThat(connector.getByteBufferPool()).isSameAs(jetty.getByteBufferPool());
    }
    assertThat(HttpServer.configuration().isUseInputDirectByteBuffers()).isFalse();
  }

  @Test
  void directBuffersArePooled() {
    ByteBuffer first = used(true);
    assertThat(first.isDirect()).isTrue();
    assertThat(used(true)).isSameAs(first);
  }
}
