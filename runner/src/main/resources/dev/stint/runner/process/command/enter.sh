# shellcheck shell=sh
# Enters the working directory, and runs the rest there.
# Arguments: working directory, command. An error is written to file 3. Files 5 to 7 may be the
# namespaces by which it came here.
cd -- "$1" 2>/dev/null || {
  printf '%s\n' "workingDir \"$1\" is not a directory that can be entered" >&3
  exit 126
}
unset OLDPWD
shift
exec "$@" 5<&- 6<&- 7<&-
