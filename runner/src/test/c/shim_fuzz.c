/*
 * Feeds mutated requests to the parsers of shim.c, with sanitizers on. Nothing is done to the
 * machine: all calls that would open, make, move or run something are replaced, and succeed or fail
 * as chance has it.
 *
 * Arguments: the number of requests, and the seed of the random numbers.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t state = 1;
static const unsigned char *input;
static size_t input_left;
static int files_open;
static jmp_buf gave_up;

const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0:abort_on_error=0"; }

static uint64_t chance(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static int fate(void) {
  errno = chance() % 2 ? ENOENT : EEXIST;
  return chance() % 3 ? 0 : -1;
}

static int stub_open(const char *path) {
  return path[0] != '\0' && fate() == 0 ? 1000 + files_open++ : -1;
}

/* Requests come in pieces, as from a pipe; files hold what is left of the input. */
static ssize_t stub_read(void *to, size_t room) {
  size_t count = chance() % 97 + 1;
  count = count < input_left ? count : input_left;
  count = count < room ? count : room;
  memcpy(to, input, count);
  input += count;
  input_left -= count;
  return (ssize_t)count;
}

static int stub_print(const char *pattern, ...) {
  char *text;
  va_list values;
  va_start(values, pattern);
  int length = vasprintf(&text, pattern, values);
  va_end(values);
  free(text);
  return length;
}

static int stub_stat(struct stat *found) {
  found->st_size = (off_t)(chance() % 2);
  return fate();
}

static pid_t stub_wait(int *status, int flags) {
  if (flags == 0 && status != NULL) {
    *status = (int)(chance() % 65536);
    return 1;
  }
  errno = ECHILD;
  return -1;
}

static int stub_signal(void) {
  static const int signals[] = {SIGHUP, SIGTERM, SIGCONT};
  return chance() % 4 == 0 ? signals[chance() % 3] : -1;
}

static size_t used(const char *path) { return strlen(path); }

#define main shim_main
#define open(path, ...) stub_open(path)
#define openat(at, path, ...) stub_open(path)
#define close(file) ((void)(file))
#define read(file, to, room) ((void)(file), stub_read(to, room))
#define write(file, from, count) ((void)(file), (ssize_t)((void)(from), (count)))
#define dprintf(file, ...) stub_print(__VA_ARGS__)
#define fstat(file, found) ((void)(file), stub_stat(found))
#define fstatat(at, path, found, flags) (used(path) > 0 ? stub_stat(found) : -1)
#define fcntl(...) fate()
#define syscall(number, ...) stub_##number(__VA_ARGS__)
#define stub_SYS_close_range(...) fate()
#define stub_SYS_renameat2(from_at, from, to_at, to, flags) \
  (used(from) + used(to) > 0 ? fate() : -1)
#define rename(from, to) (used(from) + used(to) > 0 ? fate() : -1)
#define renameat(from_at, from, to_at, to) (used(from) + used(to) > 0 ? fate() : -1)
#define mkdir(path, mode) (used(path) > 0 ? fate() : -1)
#define mkdirat(at, path, mode) (used(path) > 0 ? fate() : -1)
#define unlink(path) (used(path) > 0 ? fate() : -1)
#define utimensat(...) 0
#define vfork() (chance() % 16 > 0 ? 1 : -1)
#define waitpid(pid, status, flags) stub_wait(status, flags)
#define kill(...) 0
#define sigtimedwait(signals, info, time) ((void)(signals), (void)(time), stub_signal())
#define opendir(path) NULL
#define abort() longjmp(gave_up, 1)

#include "../../main/c/shim.c"

static void request_all(const unsigned char *bytes, size_t length) {
  input = bytes;
  input_left = length;
  files_open = 0;
  if (setjmp(gave_up) == 0) {
    struct failure failure;
    struct request request;
    char *data = malloc(LONGEST_REQUEST + 1);
    while (next(data, &request)) {
      serve("owner", "boot", 3, &failure, &request);
    }
    free(data);
  }
}

#undef main
#define SCRIPT                                                                                \
  "export A='1'\nexport B='it'\\''s'\n__stint_cwd='/'\n__stint_stdout='/l/a/main.0.stdout'\n" \
  "__stint_stderr='/l/a/main.0.stderr'\n__stint_spare='/l/b'\nset -- 'echo' 'a b'\nreturn\n"

static const char *const SEEDS[] = {
    "1 uid-a/main/0\n" SCRIPT,
    "2 uid-a/main/0 168 .\n" SCRIPT,
    "3 uid-a/main/0 168 .spare/7\n" SCRIPT,
    "4 uid-a/main/0 63 .\n__stint_cwd='/'\n__stint_stdout='/o'\n__stint_stderr='/e'\nset --\n",
    "5 uid-a/main/0 89 .\n__stint_cwd='/'\n__stint_stdout='/d/o'\n__stint_stderr='o'\n"
    "__stint_spare='s'\nset -- 'true'\n",
    "6 a -1 .\n",
    "7 a 18446744073709551615 .\n",
    "8 a 4097 .\n",
    "9 a b c\n",
    "\n",
    "",
};

enum { LONGEST = 3 * LONGEST_REQUEST };

static size_t mutate(unsigned char *bytes, size_t length) {
  static const char *const WORDS[] = {
      "'",  "'\\''", "\n", " ", "/", "=", "set --", "export ", "-1", "4096", "__stint_stdout=''",
      "\0", "."};
  size_t at = length > 0 ? chance() % length : 0;
  const char *word = WORDS[chance() % (sizeof WORDS / sizeof *WORDS)];
  size_t size = *word == '\0' ? 1 : strlen(word);
  switch (chance() % 5) {
    case 0:
      if (length > 0) {
        bytes[at] = (unsigned char)chance();
      }
      return length;
    case 1:
      memmove(bytes + at, bytes + at + (length > at), length - at - (length > at));
      return length - (length > at);
    case 2:
      return at;
    case 3:
      if (2 * length - at > LONGEST) {
        return length;
      }
      memmove(bytes + length, bytes + at, length - at);
      return 2 * length - at;
    default:
      if (length + size > LONGEST) {
        return length;
      }
      memmove(bytes + at + size, bytes + at, length - at);
      memcpy(bytes + at, word, size);
      return length + size;
  }
}

int main(int argc, char **argv) {
  long count = argc > 1 ? strtol(argv[1], NULL, 10) : 20000;
  state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  unsigned char *bytes = malloc(LONGEST);
  for (long i = 0; i < count; i++) {
    const char *seed = SEEDS[chance() % (sizeof SEEDS / sizeof *SEEDS)];
    size_t length = strlen(seed);
    memcpy(bytes, seed, length);
    for (uint64_t changes = chance() % 6; changes > 0; changes--) {
      length = mutate(bytes, length);
    }
    /* A copy of its exact size, so that reading past its end is noticed. */
    unsigned char *exact = malloc(length + (length == 0));
    memcpy(exact, bytes, length);
    request_all(exact, length);
    free(exact);
  }
  free(bytes);
  printf("%ld requests\n", count);
  return 0;
}
