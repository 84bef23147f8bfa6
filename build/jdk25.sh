# shellcheck shell=bash
# Finds the JDK of benchmarks and trials. Read by scripts of bench and build.

# Prints the home of a JDK 25, or tells the user of the script $1 that there is none.
jdk25() {
  local home
  for home in "${STINT_JAVA_HOME-}" "${JAVA_HOME-}" /usr/lib/jvm/*; do
    grep -qs '^JAVA_VERSION="25[".-]' "$home/release" && echo "$home" && return
  done
  echo "$1: found no JDK 25; set STINT_JAVA_HOME to one" >&2
  return 2
}
