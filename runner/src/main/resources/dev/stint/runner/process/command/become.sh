# shellcheck shell=sh
# Runs as the container's user: sets its environment, looks up the program, and runs the command.
# Until then no variable of the container is set, since the programs before may run as root. These
# have a locale of their own, which ends here.
# Arguments: program, command. File 9: the variables, as commands. An error is written to file 3.
# The commands may replace the function __stint_run by one that also sets variables whose names no
# shell can set. As arguments of the programs before, all users of the machine would see them.
__stint_fail() {
  printf '%s\n' "$1" >&3
  exit 126
}
__stint_run() {
  exec "$@" 3>&-
}
unset LC_ALL
eval "$(cat <&9)"
exec 9<&-
case $1 in
  */*)
    [ -f "$1" ] || __stint_fail "cannot run \"$1\": no such file"
    [ -x "$1" ] || __stint_fail "cannot run \"$1\": the file is not executable"
    ;;
  *)
    command -v "$1" >/dev/null || __stint_fail "cannot run \"$1\": not found in PATH ($PATH)"
    ;;
esac
shift
__stint_run "$@"
