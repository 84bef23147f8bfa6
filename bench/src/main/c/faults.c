/*
 * A machine that fails, for one process: preloaded (LD_PRELOAD), it stands between the process and
 * the files of one directory, and the clock.
 *
 * STINT_FAULTS_DIR      the directory, an absolute path
 * STINT_FAULTS_CONTROL  a file of at least 64 bytes that is mapped: the numbers of enum control,
 *                       which another process changes meanwhile
 * STINT_FAULTS_LOG      a file to which all changes of the directory are appended, with their data,
 *                       in order; and what was printed. From it follows what a loss of power may
 *                       have left at any moment.
 *
 * A record of the log is a header (struct record), a path and data.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* Numbers of the control file. */
enum control {
  CLOCK_OFFSET, /* nanoseconds to add to the time of day */
  FULL,         /* not 0: nothing can grow */
  SYNC_DELAY,   /* the longest time that a sync takes in addition, in microseconds */
  FULL_AT,      /* the number of the growth from which on nothing can grow; 0 for none */
  GROWTHS,      /* counts what makes something grow */
  CONTROLS = 8
};

enum operation { OPEN = 1, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, MKDIR, PRINTED };
enum flag { CREATED = 1, TRUNCATED = 2 };

struct record {
  uint32_t operation;
  uint32_t path_length;
  uint64_t file; /* the number of the inode */
  uint64_t offset;
  uint64_t length; /* of the data; for a SYNC, the length of the log when it began */
};

enum { FILES = 1 << 16 };

struct tracked {
  uint64_t file;
  char *path; /* null if it is not in the directory */
};

static struct tracked files[FILES];
static const char *directory;
static size_t directory_length;
static volatile int64_t *control;
static int log_fd = -1;
static uint64_t log_length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void start(void) {
  const char *control_path = getenv("STINT_FAULTS_CONTROL");
  const char *log_path = getenv("STINT_FAULTS_LOG");
  directory = getenv("STINT_FAULTS_DIR");
  directory_length = directory ? strlen(directory) : 0;
  if (control_path) {
    int fd = REAL(open)(control_path, O_RDWR | O_CLOEXEC);
    void *mapped = mmap(NULL, CONTROLS * 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    control = mapped == MAP_FAILED ? NULL : mapped;
    close(fd);
  }
  if (log_path) {
    log_fd = REAL(open)(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    off_t end = lseek(log_fd, 0, SEEK_END);
    log_length = end < 0 ? 0 : (uint64_t)end;
  }
}

static int is_inside(const char *path) {
  return directory && strncmp(path, directory, directory_length) == 0 &&
         (path[directory_length] == '/' || path[directory_length] == 0);
}

/* Appends a record. The lock is held. */
static void append(enum operation operation, uint64_t file, const char *path, uint64_t offset,
                   const void *data, uint64_t length) {
  if (log_fd < 0) {
    return;
  }
  struct record record = {operation, path ? (uint32_t)strlen(path) : 0, file, offset, length};
  struct iovec parts[] = {{&record, sizeof record},
                          {(void *)(path ? path : ""), record.path_length},
                          {(void *)data, data ? length : 0}};
  ssize_t written = REAL(writev)(log_fd, parts, 3);
  log_length += written < 0 ? 0 : (uint64_t)written;
}

/* True if the disk has no room. */
static int is_full(void) {
  if (!control) {
    return 0;
  }
  int64_t growth = __atomic_add_fetch(&control[GROWTHS], 1, __ATOMIC_SEQ_CST);
  return control[FULL] || (control[FULL_AT] && growth >= control[FULL_AT]);
}

/* Returns how much of a write the disk has room for: all, or a part of the last one, or nothing. */
static size_t room(size_t length) {
  if (!is_full()) {
    return length;
  }
  return control[FULL_AT] && control[GROWTHS] == control[FULL_AT] ? length / 2 : 0;
}

static struct tracked *tracked(int fd) {
  return fd >= 0 && fd < FILES && files[fd].path ? &files[fd] : NULL;
}

static int no_room(void) {
  errno = ENOSPC;
  return -1;
}

/* Returns the path that a call means, in a buffer or as it is; null if it cannot be told. */
static const char *resolve(int at, const char *path, char *buffer, size_t size) {
  if (path[0] == '/') {
    return path;
  }
  if (at == AT_FDCWD) {
    return NULL;
  }
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", at);
  ssize_t length = readlink(link, buffer, size - 1);
  if (length < 0 || (size_t)length + strlen(path) + 2 > size) {
    return NULL;
  }
  buffer[length] = '/';
  strcpy(buffer + length + 1, path);
  return buffer;
}

static int open_file(int at, const char *given, int flags, mode_t mode) {
  char buffer[4096];
  const char *path = resolve(at, given, buffer, sizeof buffer);
  if (!path || !is_inside(path)) {
    return REAL(openat)(at, given, flags, mode);
  }
  pthread_mutex_lock(&lock);
  int is_new = (flags & O_CREAT) && access(path, F_OK) != 0;
  if (is_new && is_full()) {
    pthread_mutex_unlock(&lock);
    return no_room();
  }
  int fd = REAL(openat)(at, given, flags, mode);
  struct stat status;
  if (fd >= 0 && fd < FILES && fstat(fd, &status) == 0) {
    free(files[fd].path);
    files[fd] = (struct tracked){status.st_ino, strdup(path)};
    if ((flags & O_ACCMODE) != O_RDONLY) {
      append(OPEN, status.st_ino, path, (is_new ? CREATED : 0) | (flags & O_TRUNC ? TRUNCATED : 0),
             NULL, 0);
    }
  }
  pthread_mutex_unlock(&lock);
  return fd;
}

#define MODE(flags, mode)                  \
  mode_t mode = 0;                         \
  if ((flags) & (O_CREAT | __O_TMPFILE)) { \
    va_list rest;                          \
    va_start(rest, flags);                 \
    mode = va_arg(rest, mode_t);           \
    va_end(rest);                          \
  }

int open(const char *path, int flags, ...) {
  MODE(flags, mode)
  return open_file(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags, mode)
  return open_file(AT_FDCWD, path, flags, mode);
}

int openat(int at, const char *path, int flags, ...) {
  MODE(flags, mode)
  return open_file(at, path, flags, mode);
}

int openat64(int at, const char *path, int flags, ...) {
  MODE(flags, mode)
  return open_file(at, path, flags, mode);
}

int close(int fd) {
  if (tracked(fd)) {
    pthread_mutex_lock(&lock);
    free(files[fd].path);
    files[fd].path = NULL;
    pthread_mutex_unlock(&lock);
  }
  return REAL(close)(fd);
}

/* Writes at an offset, or at the file's position if that is negative. */
static ssize_t write_file(int fd, struct tracked *file, const void *data, size_t length,
                          off_t offset) {
  size_t fits = room(length);
  if (length > 0 && fits == 0) {
    return no_room();
  }
  int flags = fcntl(fd, F_GETFL);
  pthread_mutex_lock(&lock);
  off_t at = offset;
  if (offset < 0) {
    at = lseek(fd, 0, flags & O_APPEND ? SEEK_END : SEEK_CUR);
  }
  ssize_t written = offset < 0 ? REAL(write)(fd, data, fits) : REAL(pwrite)(fd, data, fits, offset);
  if (written > 0) {
    append(WRITE, file->file, NULL, (uint64_t)at, data, (uint64_t)written);
    if (flags & O_DSYNC) { /* O_SYNC includes it. */
      append(SYNC, file->file, file->path, 0, NULL, log_length);
    }
  }
  pthread_mutex_unlock(&lock);
  return written;
}

ssize_t write(int fd, const void *data, size_t length) {
  struct tracked *file = tracked(fd);
  if (file) {
    return write_file(fd, file, data, length, -1);
  }
  if (fd != STDOUT_FILENO || log_fd < 0) {
    return REAL(write)(fd, data, length);
  }
  pthread_mutex_lock(&lock);
  ssize_t written = REAL(write)(fd, data, length);
  if (written > 0) {
    append(PRINTED, 0, NULL, 0, data, (uint64_t)written);
  }
  pthread_mutex_unlock(&lock);
  return written;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
  struct tracked *file = tracked(fd);
  return file ? write_file(fd, file, data, length, offset) : REAL(pwrite)(fd, data, length, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  return pwrite(fd, data, length, offset);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  struct tracked *file = tracked(fd);
  if (!file) {
    return REAL(writev)(fd, parts, count);
  }
  ssize_t all = 0;
  for (int i = 0; i < count; i++) {
    if (parts[i].iov_len == 0) {
      continue;
    }
    ssize_t written = write_file(fd, file, parts[i].iov_base, parts[i].iov_len, -1);
    if (written < 0) {
      return all > 0 ? all : written;
    }
    all += written;
    if ((size_t)written < parts[i].iov_len) {
      break;
    }
  }
  return all;
}

static int truncate_file(int fd, off_t length) {
  struct tracked *file = tracked(fd);
  if (!file) {
    return REAL(ftruncate)(fd, length);
  }
  pthread_mutex_lock(&lock);
  int result = REAL(ftruncate)(fd, length);
  if (result == 0) {
    append(TRUNCATE, file->file, NULL, (uint64_t)length, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int ftruncate(int fd, off_t length) { return truncate_file(fd, length); }

int ftruncate64(int fd, off64_t length) { return truncate_file(fd, length); }

int fallocate(int fd, int mode, off_t offset, off_t length) {
  if (tracked(fd) && is_full()) {
    return no_room();
  }
  return REAL(fallocate)(fd, mode, offset, length);
}

int fallocate64(int fd, int mode, off64_t offset, off64_t length) {
  return fallocate(fd, mode, offset, length);
}

/* What was written before it begins is durable once it has ended. */
static int sync_file(int fd, int (*call)(int)) {
  struct tracked *file = tracked(fd);
  if (!file) {
    return call(fd);
  }
  pthread_mutex_lock(&lock);
  uint64_t begin = log_length;
  pthread_mutex_unlock(&lock);
  if (control && control[SYNC_DELAY] > 0) {
    usleep((useconds_t)(random() % control[SYNC_DELAY]));
  }
  int result = log_fd >= 0 ? 0 : call(fd); /* With a log, the disk itself need not be told. */
  if (result == 0) {
    pthread_mutex_lock(&lock);
    append(SYNC, file->file, file->path, 0, NULL, begin);
    pthread_mutex_unlock(&lock);
  }
  return result;
}

int fsync(int fd) { return sync_file(fd, REAL(fsync)); }

int fdatasync(int fd) { return sync_file(fd, REAL(fdatasync)); }

/* Logs a change of names, if both paths are inside. */
static int renamed(int result, const char *from, const char *to) {
  char both[8192];
  if (result == 0 && is_inside(from) && is_inside(to)) {
    snprintf(both, sizeof both, "%s\n%s", from, to);
    append(RENAME, 0, both, 0, NULL, 0);
  }
  return result;
}

int rename(const char *from, const char *to) {
  pthread_mutex_lock(&lock);
  int result = renamed(REAL(rename)(from, to), from, to);
  pthread_mutex_unlock(&lock);
  return result;
}

int renameat(int from_at, const char *from, int to_at, const char *to) {
  char one[4096];
  char other[4096];
  const char *whole = resolve(from_at, from, one, sizeof one);
  const char *target = resolve(to_at, to, other, sizeof other);
  pthread_mutex_lock(&lock);
  int result = REAL(renameat)(from_at, from, to_at, to);
  if (whole && target) {
    renamed(result, whole, target);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

static int removed(int result, const char *path) {
  if (result == 0 && path && is_inside(path)) {
    append(UNLINK, 0, path, 0, NULL, 0);
  }
  return result;
}

int unlink(const char *path) {
  pthread_mutex_lock(&lock);
  int result = removed(REAL(unlink)(path), path);
  pthread_mutex_unlock(&lock);
  return result;
}

int rmdir(const char *path) {
  pthread_mutex_lock(&lock);
  int result = removed(REAL(rmdir)(path), path);
  pthread_mutex_unlock(&lock);
  return result;
}

int remove(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) ? rmdir(path) : unlink(path);
}

int unlinkat(int at, const char *path, int flags) {
  char buffer[4096];
  const char *whole = resolve(at, path, buffer, sizeof buffer);
  pthread_mutex_lock(&lock);
  int result = removed(REAL(unlinkat)(at, path, flags), whole);
  pthread_mutex_unlock(&lock);
  return result;
}

int mkdir(const char *path, mode_t mode) {
  if (is_inside(path) && access(path, F_OK) != 0 && is_full()) {
    return no_room();
  }
  pthread_mutex_lock(&lock);
  int result = REAL(mkdir)(path, mode);
  if (result == 0 && is_inside(path)) {
    append(MKDIR, 0, path, 0, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static __typeof__(&clock_gettime) call;
  if (!call) {
    call = REAL(clock_gettime);
  }
  int result = call(clock, time);
  if (result == 0 && control && clock == CLOCK_REALTIME) {
    int64_t at = time->tv_sec * 1000000000LL + time->tv_nsec + control[CLOCK_OFFSET];
    time->tv_sec = at / 1000000000LL;
    time->tv_nsec = at % 1000000000LL;
  }
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct timespec now;
  (void)zone;
  int result = clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return result;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) {
    *result = now.tv_sec;
  }
  return now.tv_sec;
}
