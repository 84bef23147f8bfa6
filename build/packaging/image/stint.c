/*
 * The entry point of the container image, which has no shell: starts Java with the options of the
 * command, as build/packaging/stint does elsewhere. OPTIONS is made from
 * cli/src/main/launcher/options.sh by build/release.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifndef HOME /* A test has another one. */
#define HOME "/usr/lib/stint"
#endif
#define LOCALES "/usr/lib/locale"

/* One line for each command: its name, a tab, and the options of the JVM with spaces between them.
 */
static const char OPTIONS[] =
#include "options.h"
    ;

static const char *const BEFORE[] = {
    HOME "/runtime/bin/java",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
    "-XX:-UsePerfData",
    "-Xlog:cds=off",
    "-Xlog:aot=off",
    "-Dstint.home=" HOME,
    "-Dstint.native.dir=" HOME "/lib/native",
    "-Dstint.shim=" HOME "/lib/stint-shim",
};
static const char *const AFTER[] = {"-cp", HOME "/lib/stint.jar", "dev.stint.cli.Main"};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Returns the command among the words. Flags before it, such as -v, have no values. */
static const char *verb_of(char **words) {
  while (*words != NULL && **words == '-') words++;
  return *words == NULL ? "" : *words;
}

/* Returns the options of the command; other commands have those of the last line. */
static char *options_of(const char *command) {
  char *rest = strdup(OPTIONS), *line, *options = rest;
  while (rest != NULL && (line = strsep(&rest, "\n")) != NULL && *line != '\0') {
    const char *name = strsep(&line, "\t");
    options = line;
    if (strcmp(name, command) == 0) break;
  }
  return options;
}

/* Takes our collector out of the options if the user has chosen one, as options.sh does. */
static void leave_collector(char *options) {
  static const char *const VARIABLES[] = {"STINT_JAVA_OPTS", "JAVA_TOOL_OPTIONS",
                                          "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"};
  static const char *const COLLECTORS[] = {"-XX:+UseSerialGC",     "-XX:+UseParallelGC",
                                           "-XX:+UseG1GC",         "-XX:+UseZGC",
                                           "-XX:+UseShenandoahGC", "-XX:+UseEpsilonGC"};
  int chosen = 0;
  for (size_t i = 0; i < LENGTH(VARIABLES) * LENGTH(COLLECTORS); i++) {
    const char *user = getenv(VARIABLES[i / LENGTH(COLLECTORS)]);
    chosen |= user != NULL && strstr(user, COLLECTORS[i % LENGTH(COLLECTORS)]) != NULL;
  }
  for (size_t i = 0; chosen && i < LENGTH(COLLECTORS); i++) {
    char *ours = strstr(options, COLLECTORS[i]);
    if (ours != NULL) memset(ours, ' ', strlen(COLLECTORS[i]));
  }
}

/* Adds the words of the text to the arguments; returns how many there are then. */
static size_t add_words(const char **argv, size_t count, char *text) {
  char *word;
  while (text != NULL && (word = strsep(&text, " ")) != NULL) {
    if (*word != '\0') argv[count++] = word;
  }
  return count;
}

/* Adds what options.sh says about terminals. */
static size_t add_terminal(const char **argv, size_t count) {
  static char columns[40] = "-Dstint.columns=";
  struct winsize size;
  if (isatty(STDERR_FILENO)) {
    argv[count++] = "-Dstint.terminal=true";
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0) {
      snprintf(columns, sizeof(columns), "-Dstint.columns=%u", (unsigned)size.ws_col);
    }
    argv[count++] = columns;
  }
  if (isatty(STDOUT_FILENO)) argv[count++] = "-Dstint.stdout.terminal=true";
  return count;
}

/* True if a locale says nothing of characters, or says UTF-8. */
static int may_be_utf8(const char *locale) {
  const char *characters = strrchr(locale, '.');
  if (characters != NULL) {
    return strcasecmp(characters, ".UTF-8") == 0 || strcasecmp(characters, ".UTF8") == 0;
  }
  return *locale == '\0' || strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0;
}

/* Returns the value of a variable; the other one if it is unset or empty. */
static const char *value_or(const char *variable, const char *other) {
  const char *value = getenv(variable);
  return value == NULL || *value == '\0' ? other : value;
}

/* Lets the JVM read UTF-8, as choose_charset in options.sh does. Returns 0 if that fails. */
static int choose_charset(void) {
  unsetenv("STINT_LC_ALL");
  if (!may_be_utf8(value_or("LC_ALL", value_or("LC_CTYPE", value_or("LANG", ""))))) return 1;
  if (access(LOCALES "/C.utf8", F_OK) != 0 && access(LOCALES "/C.UTF-8", F_OK) != 0) return 1;
  return setenv("STINT_LC_ALL", value_or("LC_ALL", ""), 1) == 0 &&
         setenv("LC_ALL", "C.UTF-8", 1) == 0;
}

int main(int argc, char **argv) {
  char *options = options_of(verb_of(argv + 1));
  char *more = getenv("STINT_JAVA_OPTS");
  more = strdup(more == NULL ? "" : more);
  if (options == NULL || more == NULL || !choose_charset()) return 70;
  const char **java =
      calloc(LENGTH(BEFORE) + LENGTH(AFTER) + strlen(options) + strlen(more) + (size_t)argc + 4,
             sizeof(char *));
  if (java == NULL) return 70;
  leave_collector(options);
  size_t count = LENGTH(BEFORE);
  memcpy(java, BEFORE, sizeof(BEFORE));
  count = add_words(java, count, options);
  count = add_terminal(java, count);
  count = add_words(java, count, more);
  memcpy(java + count, AFTER, sizeof(AFTER));
  count += LENGTH(AFTER);
  memcpy(java + count, argv + 1, (size_t)argc * sizeof(char *));
  execv(java[0], (char *const *)java);
  perror("stint: " HOME "/runtime/bin/java cannot be started");
  return 70;
}
