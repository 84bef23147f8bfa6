# shellcheck shell=sh
# Enters the working directory, looks up the program there, and runs the command.
# Arguments: working directory, program, command. An error is written to file 3.
__stint_fail() {
  printf '%s\n' "$1" >&3
  exit 126
}
cd -- "$1" 2>/dev/null ||
  __stint_fail "workingDir \"$1\" is not a directory that can be entered"
unset OLDPWD
case $2 in
  */*)
    [ -f "$2" ] || __stint_fail "cannot run \"$2\": no such file"
    [ -x "$2" ] || __stint_fail "cannot run \"$2\": the file is not executable"
    ;;
  *)
    command -v "$2" >/dev/null || __stint_fail "cannot run \"$2\": not found in PATH ($PATH)"
    ;;
esac
shift 2
exec "$@" 3>&-
