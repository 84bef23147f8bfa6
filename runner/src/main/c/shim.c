/*
 * Does what shim.sh does, with the same arguments, requests and files, and takes its place where there is a
 * compiler: it takes a request with one read and starts a command without copying itself, which makes a short
 * command cost a third less. What is written where and why is told there. The script of a command may come with the
 * request instead of in a file: "ID POD-UID/CONTAINER/NUMBER LENGTH", and so many bytes behind that line.
 *
 * Called with nothing it ends with status 2: so it can be run on this machine.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REPORTS = 3, FAULTS = 3, REQUESTS = 4 };
enum { LONGEST_REQUEST = 4096 };
enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127, SIGNALLED = 128 };

extern char **environ;

/* The step that a command's own program failed at. */
static const char RUN[] = "run";

/* Strings and, behind them, NULL. */
struct words {
  char **at;
  size_t count, room;
};

/*
 * What a script says, see ShimScript. Its strings are parts of its text. Before the words of the command stands the
 * shell that runs it where it is a file of commands that names none.
 */
struct command {
  char *text, *cwd, *out, *err;
  struct words shell_and_argv, env;
};

/* What to run, and where to write down how it ended. Without a script there is one in the attempt's directory. */
struct request {
  char *id, *attempt, *script;
};

/* A step that failed on the way to a command. The child writes it, into memory that is shared with it. */
struct failure {
  const char *step, *object;
  int error;
};

/* Without memory the outcome is that of a shell that was killed: the runner sees it. */
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

static int starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static void add(struct words *to, char *word) {
  if (to->count + 1 >= to->room) {
    to->room = 2 * to->room + 32;
    to->at = checked(realloc(to->at, to->room * sizeof *to->at));
  }
  to->at[to->count++] = word;
  to->at[to->count] = NULL;
}

/* Puts a variable NAME=VALUE in the place of any other of its name. */
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

/* A whole file; NULL where it can't be read. */
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

/* Without cutting off what is there. */
static void overwrite(int dir, const char *name, const char *text) {
  int file = openat(dir, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file >= 0) {
    ssize_t written = write(file, text, strlen(text));
    (void)written; /* A line that does not end counts as none. */
    close(file);
  }
}

/*
 * Takes the quotes off a word, '...' with each ' in it as '\'', where it stands. Returns what is behind it, or NULL
 * where it does not end.
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

/* Makes NAME=VALUE of the line NAME='VALUE'. Returns the next line, or NULL where this is none such. */
static char *assign(char *line, char **value) {
  *value = line + strcspn(line, "=\n");
  if (**value != '=') {
    return NULL;
  }
  char *end = unquote(++*value);
  return end != NULL && *end == '\n' ? end + 1 : NULL;
}

/* Whether the text is such a script. */
static int parse(struct command *command) {
  char *line = command->text, *value;
  while (line != NULL && !starts(line, "set --")) {
    char *variable = starts(line, "export ") ? line + strlen("export ") : line;
    line = assign(variable, &value);
    if (line == NULL) {
      return 0;
    } else if (starts(variable, "__stint_cwd=")) {
      command->cwd = value;
    } else if (starts(variable, "__stint_stdout=")) {
      command->out = value;
    } else if (starts(variable, "__stint_stderr=")) {
      command->err = value;
    } else {
      set(&command->env, variable);
    }
  }
  line += strlen("set --");
  add(&command->shell_and_argv, "/bin/sh");
  while (line != NULL && *line == ' ') {
    add(&command->shell_and_argv, line + 1);
    line = unquote(line + 1);
  }
  return line != NULL && command->shell_and_argv.count > 1 && command->cwd && command->out && command->err;
}

static _Noreturn void fail(struct failure *failure, const char *step, const char *object) {
  *failure = (struct failure){step, object, errno};
  _exit(NOT_EXECUTABLE);
}

static void append_to(int descriptor, const char *path, struct failure *failure) {
  int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0 || dup2(file, descriptor) < 0) {
    fail(failure, "write to", path);
  }
}

/* In the child, which has our memory until then: goes on as the command. */
static _Noreturn __attribute__((noinline)) void become(const struct command *command, int dir, const char *identity,
                                                       struct failure *failure) {
  append_to(STDOUT_FILENO, command->out, failure);
  append_to(STDERR_FILENO, command->err, failure);
  if (chdir(command->cwd) < 0) {
    fail(failure, "enter", command->cwd);
  }
  int faults = openat(dir, "fault", O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (faults >= 0 ? dup2(faults, FAULTS) < 0 : errno != ENOENT) {
    fail(failure, "write to", "fault");
  }
  /* From here on signals to the group have their effect. */
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

/* Waits for the command. Returns its code as a shell tells it. */
static int run(const struct command *command, int dir, const char *identity, struct failure *failure) {
  int status = 0;
  pid_t child = vfork();
  if (child == 0) {
    become(command, dir, identity, failure);
  }
  if (child < 0) {
    kill(getpid(), SIGKILL); /* The machine is short of something: the runner tries again. */
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (failure->step != NULL) {
    return failure->step == RUN && failure->error == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : SIGNALLED + WTERMSIG(status);
}

/* As people read it. */
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
 * Runs what a script says, or where there is none one in the directory. Returns its code, and what could not be started
 * where that was so.
 */
static int attempt(int dir, char *script, const char *identity, struct failure *failure, char **fault) {
  char *file = script != NULL ? NULL : contents(dir, "script");
  struct command command = {.text = script != NULL ? script : file};
  int code = NOT_EXECUTABLE;
  *failure = (struct failure){0};
  for (char **variable = environ; *variable != NULL; variable++) {
    add(&command.env, *variable);
  }
  if (command.text == NULL || !parse(&command)) {
    *failure = (struct failure){"read", "script", command.text == NULL ? errno : EINVAL};
  } else {
    char *pwd = format("PWD=%s", command.cwd);
    set(&command.env, pwd);
    code = run(&command, dir, identity, failure);
    free(pwd);
  }
  *fault = failure->step != NULL ? told(failure) : contents(dir, "fault");
  free(file);
  free(command.shell_and_argv.at);
  free(command.env.at);
  return code;
}

static void serve(const char *owner, const char *boot, int pods, struct failure *failure,
                  const struct request *request) {
  char *fault = NULL;
  int uid = (int)strcspn(request->attempt, "/");
  int dir = openat(pods, request->attempt, O_PATH | O_DIRECTORY | O_CLOEXEC);
  char *identity = format("%.*s %d %s %s\n", uid, request->attempt, (int)getpid(), boot, owner);
  int code = attempt(dir, request->script, identity, failure, &fault);
  char *why = fault != NULL && *fault != '\0' ? format(" StartError %.*s", (int)strcspn(fault, "\n"), fault) : NULL;
  char *outcome = format("%.*s %d%s\n", uid, request->attempt, code, why != NULL ? why : "");
  overwrite(dir, "exit", outcome);
  dprintf(REPORTS, "%s %d\n", request->id, code);
  close(dir);
  free(outcome);
  free(why);
  free(identity);
  free(fault);
}

/* Waits for more of a request. Returns 0 where there is nobody to ask for more. */
static int more(char *data, size_t *length) {
  ssize_t count = 0;
  do {
    count = read(REQUESTS, data + *length, LONGEST_REQUEST - *length);
  } while (count < 0 && errno == EINTR);
  *length += count > 0 ? (size_t)count : 0;
  return count > 0;
}

/* Takes the next request; there is no other before it was answered. Returns 0 where there is none. */
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
  if (line != NULL) {
    char *behind = end + strtoul(line, NULL, 10);
    while (data + length < behind) {
      if (!more(data, &length)) {
        return 0;
      }
    }
    *behind = '\0';
  }
  return request->attempt != NULL;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    return 2;
  }
  /* Signals to the group are for the command; its process has none of those that wait here. */
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  fcntl(REPORTS, F_SETFD, FD_CLOEXEC);
  fcntl(REQUESTS, F_SETFD, FD_CLOEXEC);
  unsetenv("OLDPWD");
  int pods = open(argv[4], O_PATH | O_DIRECTORY | O_CLOEXEC);
  /* Where a C library has fork for vfork, memory is shared only where it is asked for. */
  struct failure *failure = mmap(NULL, sizeof *failure, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  char data[LONGEST_REQUEST + 1];
  struct request request;
  while (failure != MAP_FAILED && next(data, &request)) {
    serve(argv[2], argv[3], pods, failure, &request);
  }
  return 0;
}
