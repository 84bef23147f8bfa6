/*
 * Replaces shim.sh if there is a compiler, with the same arguments, requests and files, which
 * shim.sh describes. It reads a request at once and starts a command without copying itself, so a
 * short command costs a third less.
 *
 * It has more features. A request may include the script of a command instead of leaving it in a
 * file: "ID POD-UID/CONTAINER/NUMBER LENGTH SPARE", followed by LENGTH bytes after that line. SPARE
 * is the directory to rename to that of the pod, or a dot if the pod's exists. The script may name
 * a directory to rename to that of the logs (__stint_spare). A report notes after the code if
 * nothing was printed, and if processes are left that could not be killed. All others end with the
 * command, also those that left its session. It also waits for a signal to itself after a command
 * that failed by itself or by SIGKILL.
 *
 * Without arguments it exits with status 2, which shows that it can run on this machine.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
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

enum { REPORTS = 3, FAULTS = 3, REQUESTS = 4, OTHERS = 5 };
enum { LONGEST_REQUEST = 4096 };
enum { NOREPLACE = 1 }; /* RENAME_NOREPLACE, which some C libraries lack. */
enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127, SIGNALLED = 128 };

/* How long a stop of all processes takes to reach this one after the command, in milliseconds. */
enum { AFTER_SIGNAL = 1000, AFTER_FAILURE = 100 };

#ifndef SYS_close_range
#define SYS_close_range 436 /* On each kind of machine. */
#endif

extern char **environ;

/*
 * True if the file system of the logs has no leases, so that it is unknown whether a log is unused.
 */
static int no_leases;

/* The step of starting a command's own program. */
static const char RUN[] = "run";

/* An array of strings that ends with NULL. */
struct words {
  char **at;
  size_t count, room;
};

/*
 * A parsed script, see ShimScript. Its strings are parts of its text. A shell stands before the
 * words of the command; it runs a file of commands that names no interpreter.
 */
struct command {
  char *text, *cwd, *out, *err, *spare;
  struct words shell_and_argv, env;
};

/*
 * The command to run, and the file for its outcome. Without a script, there is one in the attempt's
 * directory.
 */
struct request {
  char *id, *attempt, *script, *spare;
};

/*
 * A step that failed before the command started. The child writes it to memory that it shares with
 * its parent.
 */
struct failure {
  const char *step, *object;
  int error;
};

/*
 * Ends the process if memory is short. The outcome is then that of a shell that was killed, which
 * the runner detects.
 */
static void *checked(void *memory) {
  if (memory == NULL) {
    abort();
  }
  return memory;
}

static char *format(const char *pattern, ...) {
  char *made;
  va_list values;
  va_start(values, pattern);
  int length = vasprintf(&made, pattern, values);
  va_end(values);
  return checked(length < 0 ? NULL : made);
}

static int starts(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static void add(struct words *to, char *word) {
  if (to->count + 1 >= to->room) {
    to->room = 2 * to->room + 32;
    to->at = checked(realloc(to->at, to->room * sizeof *to->at));
  }
  to->at[to->count++] = word;
  to->at[to->count] = NULL;
}

/* Sets a variable NAME=VALUE, and replaces another one of its name. */
static void set(struct words *env, char *variable) {
  size_t name = strcspn(variable, "=") + 1;
  for (size_t i = 0; i < env->count; i++) {
    if (strncmp(env->at[i], variable, name) == 0) {
      env->at[i] = variable;
      return;
    }
  }
  add(env, variable);
}

/* Reads a whole file; returns NULL if it cannot be read. */
static char *contents(int dir, const char *name) {
  int file = openat(dir, name, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return NULL;
  }
  size_t room = 4096, length = 0;
  char *data = checked(malloc(room));
  for (ssize_t count = 1; count != 0;) {
    count = read(file, data + length, room - length - 1);
    if (count < 0 && errno != EINTR) {
      break;
    }
    length += count > 0 ? (size_t)count : 0;
    if (length + 1 == room) {
      data = checked(realloc(data, room *= 2));
    }
  }
  close(file);
  data[length] = '\0';
  return data;
}

/*
 * Writes a file without truncating it first; true if all was written. A line without an end counts
 * as none.
 */
static int overwrite(int dir, const char *name, const char *text) {
  int file = openat(dir, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) {
    return 0;
  }
  ssize_t written = write(file, text, strlen(text));
  close(file);
  return written == (ssize_t)strlen(text);
}

/*
 * Unquotes a word in place: '...' with each ' in it as '\''. Returns the text behind it, or NULL if
 * the word does not end.
 */
static char *unquote(char *word) {
  char *from = word, *to = word;
  if (*from++ != '\'') {
    return NULL;
  }
  for (;;) {
    size_t plain = strcspn(from, "'");
    memmove(to, from, plain);
    from += plain;
    to += plain;
    if (*from == '\0') {
      return NULL;
    }
    if (!starts(from, "'\\''")) {
      *to = '\0';
      return from + 1;
    }
    *to++ = '\'';
    from += strlen("'\\''");
  }
}

/*
 * Parses the line NAME='VALUE' to NAME=VALUE. Returns the next line, or NULL if the line is
 * malformed.
 */
static char *assign(char *line, char **value) {
  *value = line + strcspn(line, "=\n");
  if (**value != '=') {
    return NULL;
  }
  char *end = unquote(++*value);
  return end != NULL && *end == '\n' ? end + 1 : NULL;
}

/* Parses a script; true if the text is one. */
static int parse(struct command *command) {
  char *line = command->text, *value;
  while (line != NULL && !starts(line, "set --")) {
    int exported = starts(line, "export ");
    char *variable = exported ? line + strlen("export ") : line;
    line = assign(variable, &value);
    if (line == NULL) {
      return 0;
    } else if (exported) {
      set(&command->env, variable);
    } else if (starts(variable, "__stint_cwd=")) {
      command->cwd = value;
    } else if (starts(variable, "__stint_stdout=")) {
      command->out = value;
    } else if (starts(variable, "__stint_stderr=")) {
      command->err = value;
    } else if (starts(variable, "__stint_spare=")) {
      command->spare = value;
    }
  }
  line += strlen("set --");
  add(&command->shell_and_argv, "/bin/sh");
  while (line != NULL && *line == ' ') {
    add(&command->shell_and_argv, line + 1);
    line = unquote(line + 1);
  }
  return line != NULL && command->shell_and_argv.count > 1 && command->cwd && command->out &&
         command->err;
}

static _Noreturn void fail(struct failure *failure, const char *step, const char *object) {
  *failure = (struct failure){step, object, errno};
  _exit(NOT_EXECUTABLE);
}

static char *parent(const char *path) {
  const char *last = strrchr(path, '/');
  if (last == NULL || last == path) {
    return format(last == NULL ? "." : "/");
  }
  return format("%.*s", (int)(last - path), path);
}

static void make_dirs(int at, char *path, mode_t mode) {
  if (*path == '\0') {
    return;
  }
  for (char *end = strchr(path + 1, '/'); end != NULL; end = strchr(end + 1, '/')) {
    *end = '\0';
    mkdirat(at, path, mode);
    *end = '/';
  }
  mkdirat(at, path, mode);
}

/*
 * Ends the process, since the machine lacks some resource. The runner detects that, and tries
 * again.
 */
static _Noreturn void give_up(void) {
  kill(getpid(), SIGKILL);
  abort();
}

/*
 * Gives a file its place on the disk, so that a line can be written to it even when the disk is
 * full. Without that a command would run again that has ended: it may have filled the disk itself.
 * A spare file has its place.
 */
static void reserve(int dir, const char *name) {
  struct stat found;
  int has_place = fstatat(dir, name, &found, 0) == 0 && found.st_size > 0;
  if (!has_place && !overwrite(dir, name, "\n")) {
    give_up();
  }
}

/* Moves a directory to an unused name. Not all C libraries have a function for it. */
static int moved(const char *from, const char *to) {
  return !no_leases && syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, NOREPLACE) == 0;
}

/*
 * Makes the directory of logs from a spare one, or else anew. True if it was made from the spare
 * one.
 */
static int take(const char *spare, const char *dir) {
  if (moved(spare, dir)) {
    return 1;
  }
  char *above = parent(dir);
  make_dirs(AT_FDCWD, above, 0777);
  free(above);
  if (moved(spare, dir)) {
    return 1;
  }
  if (mkdir(dir, 0777) < 0 && errno != EEXIST) {
    give_up();
  }
  return 0;
}

static int is_empty(int file) {
  struct stat found;
  return fstat(file, &found) == 0 && found.st_size == 0;
}

/*
 * True if no other process has the file open: only then a lease is granted, if the file system
 * supports leases.
 */
static int is_ours(int file) {
  if (fcntl(file, F_SETLEASE, F_WRLCK) == 0) {
    return fcntl(file, F_SETLEASE, F_UNLCK) == 0;
  }
  no_leases = errno != EAGAIN;
  return 0;
}

static int open_both(const struct command *command, int logs[2], struct failure *failure) {
  const char *paths[] = {command->out, command->err};
  for (int i = 0; i < 2; i++) {
    logs[i] = open(paths[i], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (logs[i] < 0) {
      *failure = (struct failure){"write to", paths[i], errno};
      if (i > 0) {
        close(logs[0]);
      }
      return 0;
    }
  }
  return 1;
}

static void close_both(int logs[2]) {
  close(logs[0]);
  close(logs[1]);
}

/*
 * Opens the logs, in a spare directory of a pod that printed nothing, if there is one. A process
 * that has left its group may still have the files open, and so may a reader. In that case the
 * spare directory is left to them.
 */
static int open_logs(const struct command *command, int logs[2], struct failure *failure) {
  char *dir = parent(command->out);
  int taken = command->spare != NULL && take(command->spare, dir);
  int opened = open_both(command, logs, failure);
  if (opened && taken) {
    if (is_ours(logs[0]) && is_ours(logs[1]) && is_empty(logs[0]) && is_empty(logs[1])) {
      utimensat(AT_FDCWD, dir, NULL, 0);
    } else {
      close_both(logs);
      if (rename(dir, command->spare) < 0) {
        unlink(command->out); /* They are no longer needed in the old place. */
        unlink(command->err);
      }
      mkdir(dir, 0777);
      opened = open_both(command, logs, failure);
    }
  }
  free(dir);
  return opened;
}

/* Runs in the child, which shares our memory until then: becomes the command. */
static _Noreturn __attribute__((noinline)) void become(const struct command *command, int dir,
                                                       const char *identity, const int logs[2],
                                                       struct failure *failure) {
  if (dup2(logs[0], STDOUT_FILENO) < 0 || dup2(logs[1], STDERR_FILENO) < 0) {
    fail(failure, "write to", command->out);
  }
  if (chdir(command->cwd) < 0) {
    fail(failure, "enter", command->cwd);
  }
  int faults = openat(dir, "fault", O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (faults >= 0 ? dup2(faults, FAULTS) < 0 : errno != ENOENT) {
    fail(failure, "write to", "fault");
  }
  /* From here on, signals to the group take effect. */
  overwrite(dir, "pid", identity);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  char **with_shell = command->shell_and_argv.at, **argv = with_shell + 1;
  execvpe(argv[0], argv, command->env.at);
  if (errno == ENOEXEC) {
    execve(with_shell[0], with_shell, command->env.at);
  }
  fail(failure, RUN, argv[0]);
}

/* Returns the parent of a process, or 0 if there is no such process or it has ended. */
static pid_t parent_of(const char *pid) {
  char path[64], line[512];
  snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, line, sizeof line - 1);
  close(file);
  line[length > 0 ? length : 0] = '\0';
  char *name_end = strrchr(line, ')'); /* The name may contain anything. */
  char state;
  int parent;
  return name_end != NULL && sscanf(name_end + 1, " %c %d", &state, &parent) == 2 &&
                 strchr("ZX", state) == NULL
             ? parent
             : 0;
}

/* Kills our children. Returns how many could be killed. */
static int kill_children(void) {
  int killed = 0;
  DIR *processes = opendir("/proc");
  for (struct dirent *each; processes != NULL && (each = readdir(processes)) != NULL;) {
    if (isdigit((unsigned char)*each->d_name) && parent_of(each->d_name) == getpid()) {
      killed += kill((pid_t)strtol(each->d_name, NULL, 10), SIGKILL) == 0;
    }
  }
  if (processes != NULL) {
    closedir(processes);
  }
  return killed;
}

/*
 * Ends what the command left behind, also what left its session: we are the parent of each process
 * whose own parents have ended. A process that we may not kill is left; it would look like the
 * next command.
 */
static void end_rest(void) {
  for (;;) {
    pid_t ended = waitpid(-1, NULL, WNOHANG);
    if (ended < 0 && errno != EINTR) {
      return;
    }
    if (ended == 0) {
      int killed = kill_children();
      if (waitpid(-1, NULL, killed > 0 ? 0 : WNOHANG) <= 0) {
        return;
      }
    }
  }
}

/* Waits for the command, and reaps the processes that it left to us meanwhile. */
static int await(pid_t command) {
  int status = 0;
  pid_t ended;
  do {
    ended = waitpid(-1, &status, 0);
  } while (ended != command && (ended >= 0 || errno == EINTR));
  return status;
}

/* Waits for the command. Returns its code as a shell reports it. */
static int run(const struct command *command, int dir, const char *identity, const int logs[2],
               struct failure *failure) {
  pid_t child = vfork();
  if (child == 0) {
    become(command, dir, identity, logs, failure);
  }
  if (child < 0) {
    give_up();
  }
  int status = await(child);
  end_rest();
  if (failure->step != NULL) {
    return failure->step == RUN && failure->error == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : SIGNALLED + WTERMSIG(status);
}

/*
 * True if we are told to end within so many milliseconds, as a service manager tells all processes
 * of a service. The runner sends SIGCONT when it has killed a command itself.
 */
static int is_told_to_end(long millis) {
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGHUP);
  sigaddset(&awaited, SIGTERM);
  sigaddset(&awaited, SIGCONT);
  struct timespec time = {millis / 1000, millis % 1000 * 1000000};
  int signal = sigtimedwait(&awaited, NULL, &time);
  return signal == SIGHUP || signal == SIGTERM;
}

/* Forgets signals that came while no command ran. */
static void forget_signals(void) {
  while (is_told_to_end(0)) {
  }
}

static long clock_millis(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/*
 * Returns how long to wait for a signal to us after a command has ended: a stop of all processes
 * may reach the command first. It costs a command that fails by itself a tenth of its time at most.
 */
static long patience(int code, long millis) {
  switch (code) {
    case 0:
      return 0;
    case SIGNALLED + SIGHUP:
    case SIGNALLED + SIGKILL:
    case SIGNALLED + SIGTERM:
      return AFTER_SIGNAL;
    default:
      return millis / 10 < AFTER_FAILURE ? millis / 10 : AFTER_FAILURE;
  }
}

/* Describes a failure for people. */
static char *told(const struct failure *failure) {
  const char *why = strerror(failure->error);
  if (failure->step == RUN && failure->error == ENOENT) {
    why = "it or its interpreter was not found";
  } else if (failure->step == RUN && failure->error == EACCES) {
    why = "permission denied, or not a program for this machine";
  }
  return format("cannot %s \"%s\": %s", failure->step, failure->object, why);
}

/*
 * The outcome of a command; fault names the step that failed, if it could not be started. It is
 * stopped if this process was told to end, too, and has left what could not be killed.
 */
struct outcome {
  int code, silent, stopped, left;
  char *fault;
};

/* Runs a script, or the one in the directory if there is none. */
static struct outcome attempt(int dir, char *script, const char *identity,
                              struct failure *failure) {
  char *file = script != NULL ? NULL : contents(dir, "script");
  struct command command = {.text = script != NULL ? script : file};
  struct outcome outcome = {.code = NOT_EXECUTABLE};
  int logs[2];
  *failure = (struct failure){0};
  for (char **variable = environ; *variable != NULL; variable++) {
    add(&command.env, *variable);
  }
  if (command.text == NULL || !parse(&command)) {
    *failure = (struct failure){"read", "script", command.text == NULL ? errno : EINVAL};
  } else if (open_logs(&command, logs, failure)) {
    char *pwd = format("PWD=%s", command.cwd);
    set(&command.env, pwd);
    long begun = clock_millis();
    outcome.code = run(&command, dir, identity, logs, failure);
    outcome.stopped = is_told_to_end(patience(outcome.code, clock_millis() - begun));
    outcome.left = waitpid(-1, NULL, WNOHANG) == 0;
    outcome.silent = is_empty(logs[0]) && is_empty(logs[1]);
    close_both(logs);
    free(pwd);
  }
  outcome.fault = failure->step != NULL ? told(failure) : contents(dir, "fault");
  free(file);
  free(command.shell_and_argv.at);
  free(command.env.at);
  return outcome;
}

/*
 * Opens the directory of an attempt. Makes it if needed, from a spare one of the same shape or
 * anew.
 */
static int open_attempt(int pods, const struct request *request, int uid) {
  if (request->spare != NULL && strcmp(request->spare, ".") != 0) {
    char *pod = format("%.*s", uid, request->attempt);
    if (renameat(pods, request->spare, pods, pod) < 0) {
      make_dirs(pods, request->attempt, 0700);
    }
    free(pod);
  }
  int dir = openat(pods, request->attempt, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (dir < 0) {
    give_up();
  }
  return dir;
}

static void serve(const char *owner, const char *boot, int pods, struct failure *failure,
                  const struct request *request) {
  int uid = (int)strcspn(request->attempt, "/");
  int dir = open_attempt(pods, request, uid);
  char *identity = format("%.*s %d %s %s\n", uid, request->attempt, (int)getpid(), boot, owner);
  reserve(dir, "pid");
  reserve(dir, "exit");
  forget_signals();
  struct outcome how = attempt(dir, request->script, identity, failure);
  char *fault = how.fault;
  char *why = fault != NULL && *fault != '\0'
                  ? format(" StartError %.*s", (int)strcspn(fault, "\n"), fault)
                  : NULL;
  char *outcome = format("%.*s %d%s%s\n", uid, request->attempt, how.code,
                         how.stopped ? " Stopped" : "", why != NULL ? why : "");
  overwrite(dir, "exit", outcome);
  dprintf(REPORTS, "%s %d%s%s%s\n", request->id, how.code, how.silent ? " silent" : "",
          how.stopped ? " stopped" : "", how.left ? " left" : "");
  close(dir);
  free(outcome);
  free(why);
  free(identity);
  free(fault);
}

/* Reads more of a request. Returns 0 if the runner is gone. */
static int more(char *data, size_t *length) {
  ssize_t count = 0;
  do {
    count = read(REQUESTS, data + *length, LONGEST_REQUEST - *length);
  } while (count < 0 && errno == EINTR);
  *length += count > 0 ? (size_t)count : 0;
  return count > 0;
}

/*
 * Takes the next request. The runner sends none before the last one was answered. Returns 0 if
 * there are no more, or if this is none.
 */
static int next(char *data, struct request *request) {
  size_t length = 0;
  char *line = data, *end = NULL;
  while (end == NULL) {
    if (!more(data, &length)) {
      return 0;
    }
    end = memchr(data, '\n', length);
  }
  *end++ = '\0';
  request->id = strsep(&line, " ");
  request->attempt = strsep(&line, " ");
  request->script = line != NULL ? end : NULL;
  request->spare = NULL;
  if (line != NULL) {
    unsigned long script = strtoul(line, &request->spare, 10);
    if (!isdigit((unsigned char)*line) || *request->spare != ' ' ||
        script > (unsigned long)(data + LONGEST_REQUEST - end)) {
      return 0;
    }
    request->spare++;
    char *behind = end + script;
    while (data + length < behind) {
      if (!more(data, &length)) {
        return 0;
      }
    }
    *behind = '\0';
  }
  return request->attempt != NULL;
}

/*
 * Closes what this process has inherited besides its own two files. With an old C library, that may
 * be what another thread of the runner opened while this process was started. True if all is
 * closed.
 */
static int close_others(void) {
  if (syscall(SYS_close_range, OTHERS, ~0U, 0) == 0) {
    return 1;
  }
  close(OTHERS); /* The list takes a descriptor, too. */
  DIR *list = opendir("/proc/self/fd");
  if (list == NULL) {
    return 0;
  }
  for (struct dirent *each; (each = readdir(list)) != NULL;) {
    int file = (int)strtol(each->d_name, NULL, 10);
    if (file >= OTHERS && file != dirfd(list)) {
      close(file);
    }
  }
  closedir(list);
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    return 2;
  }
  if (!close_others()) {
    return 1;
  }
  /*
   * Signals to the group are for the command; its process does not inherit those that are pending
   * here.
   */
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  fcntl(REPORTS, F_SETFD, FD_CLOEXEC);
  fcntl(REQUESTS, F_SETFD, FD_CLOEXEC);
  unsetenv("OLDPWD");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_NAME, "stint-shim"); /* It may have been started by the number of an open file. */
  int pods = open(argv[4], O_PATH | O_DIRECTORY | O_CLOEXEC);
  /* If a C library has fork for vfork, only memory that is mapped as shared is shared. */
  struct failure *failure =
      mmap(NULL, sizeof *failure, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  char data[LONGEST_REQUEST + 1];
  struct request request;
  while (failure != MAP_FAILED && next(data, &request)) {
    serve(argv[2], argv[3], pods, failure, &request);
  }
  return 0;
}
