package dev.stint.apiserver.http.server;

import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.RetainableByteBuffer;

/**
 * Gives each reader of a connection memory of its own for what clients send in clear text: heap
 * buffers are never used again. Direct buffers, which hold encrypted data and answers, are pooled.
 *
 * <p>Jetty answers a malformed request of HTTP/1.1 in another thread than the one that still reads
 * the connection, and both may give back its buffer. From a pool, two connections then got the same
 * buffer, and one client's bytes stood at the beginning of another client's request (decision 116).
 */
final class ClearTextBuffers extends ByteBufferPool.Wrapper {
  private final ByteBufferPool unpooled = new ByteBufferPool.NonPooling();

  ClearTextBuffers(ByteBufferPool pool) {
    super(pool);
  }

  @Override
  public RetainableByteBuffer.Mutable acquire(int size, boolean direct) {
    return direct ? super.acquire(size, true) : unpooled.acquire(size, false);
  }
}
