package dev.stint.store.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stint.store.Entry;
import dev.stint.store.StorageEngine;
import dev.stint.store.StoreEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Keeps a store in RocksDB: key → creation revision, revision (8 bytes each), value; and, under a
 * separate key, the newest revision, since a deletion leaves no other trace. Each batch is one
 * record of the write-ahead log, so it is atomic. Only the files' owner may read them.
 *
 * <p>What is synced and what is reserved is in files of their own: an earlier version takes any row
 * of such a key for the newest revision.
 */
public final class RocksEngine implements StorageEngine {
  private static final byte[] REVISION_KEY = {0};

  /** Holds the highest revision that a write may have had which is lost. */
  private static final String RESERVED_FILE = "RESERVED-REVISION";

  private static final int HEADER_BYTES = 2 * Long.BYTES;

  /** The bytes of keys and rows for which there is a buffer; longer ones are copied once more. */
  private static final int KEY_ROOM = 1 << 10;

  private static final int ROW_ROOM = 64 << 10;

  private final Options options;
  private final WriteOptions unsynced = new WriteOptions();
  private final RocksDB db;
  private final PrivateFileModes modes;
  private final SyncedRevision synced;
  private final RevisionFile reserved;
  private final ByteBuffer keys = ByteBuffer.allocateDirect(KEY_ROOM);
  private final ByteBuffer rows = ByteBuffer.allocateDirect(ROW_ROOM);
  private boolean closed;

  /** The revision of the last batch that was appended; 0 if none was since the database is open. */
  private volatile long appended;

  private RocksEngine(
      Options options,
      RocksDB db,
      PrivateFileModes modes,
      SyncedRevision synced,
      RevisionFile reserved) {
    this.options = options;
    this.db = db;
    this.modes = modes;
    this.synced = synced;
    this.reserved = reserved;
  }

  /**
   * Opens or creates a database.
   *
   * @param directory the database's own directory; no other process may have it open
   * @throws IOException with a message of one clear line
   */
  public static RocksEngine open(Path directory) throws IOException {
    RocksLibrary.load();
    PrivateFileModes modes = new PrivateFileModes(directory);
    Options options = options().setListeners(List.of(modes));
    RocksDB db = null;
    try {
      db = RocksDB.open(options, directory.toString());
      SyncedRevision synced = new SyncedRevision(directory);
      RevisionFile reserved = new RevisionFile(directory.resolve(RESERVED_FILE));
      modes.enforce();
      return new RocksEngine(options, db, modes, synced, reserved);
    } catch (RocksDBException | IOException fault) {
      if (db != null) {
        db.close();
      }
      options.close();
      modes.close();
      throw fault instanceof RocksDBException refused ? failure(refused) : (IOException) fault;
    }
  }

  /**
   * Returns options for a database that is read once, at the start: no cache, few files, no
   * prefetching.
   */
  private static Options options() {
    return new Options()
        .setCreateIfMissing(true)
        .setWriteBufferSize(32 << 20)
        .setMaxBackgroundJobs(2)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setTableFormatConfig(
            new BlockBasedTableConfig().setNoBlockCache(true).setBlockSize(32 << 10))
        .setSkipStatsUpdateOnDbOpen(true)
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0)
        .setKeepLogFileNum(2)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL);
  }

  @Override
  public void append(List<StoreEvent> batch) throws IOException {
    try (WriteBatch writes = new WriteBatch()) {
      for (StoreEvent event : batch) {
        add(writes, event);
      }
      long revision = batch.getLast().revision();
      writes.put(REVISION_KEY, bytes(revision));
      db.write(unsynced, writes);
      appended = revision;
    } catch (RocksDBException e) {
      throw failure(e);
    }
  }

  @Override
  public void sync() throws IOException {
    long reached = appended;
    try {
      db.syncWal();
    } catch (RocksDBException e) {
      throw failure(e);
    }
    if (reached > 0) {
      synced.write(reached);
    }
  }

  @Override
  public void reserve(long revision) throws IOException {
    reserved.write(revision);
    reserved.sync();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IOException also if changes are gone that were synced: then the write-ahead log was
   *     damaged or deleted, of which RocksDB says nothing
   */
  @Override
  public long readBack(Consumer<Entry> consumer) throws IOException {
    long revision = 0;
    try (ReadOptions once = new ReadOptions().setReadaheadSize(2 << 20);
        RocksIterator rows = db.newIterator(once)) {
      for (rows.seekToFirst(); rows.isValid(); rows.next()) {
        byte[] key = rows.key();
        ByteBuffer value = ByteBuffer.wrap(rows.value());
        if (key[0] == 0) {
          revision = value.getLong();
        } else {
          consumer.accept(entry(new String(key, UTF_8), value));
        }
      }
      rows.status();
    } catch (RocksDBException e) {
      throw failure(e);
    }
    synced.check(revision);
    return Math.max(revision, reserved.read());
  }

  /**
   * Rewrites the database without overwritten and deleted entries. Other threads may write
   * meanwhile.
   *
   * @throws IOException with a message of one clear line
   */
  public void compact() throws IOException {
    try {
      db.compactRange();
    } catch (RocksDBException e) {
      throw failure(e);
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      db.closeE();
    } catch (RocksDBException e) {
      throw failure(e);
    } finally {
      unsynced.close();
      synced.close();
      reserved.close();
      options.close();
      modes.close();
    }
  }

  private void add(WriteBatch writes, StoreEvent event) throws RocksDBException {
    byte[] key = event.key().getBytes(UTF_8);
    Entry after = event.after();
    if (after == null) {
      writes.delete(key);
      return;
    }
    byte[] value = after.value();
    if (key.length <= KEY_ROOM && HEADER_BYTES + value.length <= ROW_ROOM) {
      writes.put(keys.clear().put(key).flip(), row(after, value, rows.clear()).flip());
    } else {
      writes.put(key, row(after, value, ByteBuffer.allocate(HEADER_BYTES + value.length)).array());
    }
  }

  private static ByteBuffer row(Entry entry, byte[] value, ByteBuffer into) {
    return into.putLong(entry.createRevision()).putLong(entry.revision()).put(value);
  }

  private static byte[] bytes(long revision) {
    return ByteBuffer.allocate(Long.BYTES).putLong(revision).array();
  }

  private static Entry entry(String key, ByteBuffer stored) {
    long created = stored.getLong();
    long revision = stored.getLong();
    byte[] value = new byte[stored.remaining()];
    stored.get(value);
    return new Entry(key, value, created, revision);
  }

  private static IOException failure(RocksDBException e) {
    return new IOException(reason(String.valueOf(e.getMessage())), e);
  }

  /** Returns one line about a failure. */
  static String reason(String message) {
    String line = message.lines().findFirst().orElse("");
    // Another thread has the reason, and may not have told it yet.
    return line.startsWith("Writer has previous error")
        ? "an earlier write failed; the disk may be full"
        : line;
  }
}
