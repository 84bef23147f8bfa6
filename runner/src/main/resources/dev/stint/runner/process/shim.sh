# Stands between the runner and one container's command, so that the outcome is written down even
# where the runner died meanwhile. Arguments: attempt directory, boot id, working directory, files
# for standard output and standard error, command.
# Signals to the group are for the command; a no-op handler (unlike "ignore") is not inherited by it.
trap : HUP INT QUIT TERM USR1 USR2
__stint_dir=$1 __stint_boot=$2
__stint_fail() {
  case $1 in
    126) __stint_why="permission denied, or not a program for this machine" ;;
    127) __stint_why="it or its interpreter was not found" ;;
    *) return ;;
  esac
  printf '%s StartError cannot run "%s": %s\n' "$1" "$2" "$__stint_why" >"$__stint_dir/exit"
}
command exec >>"$4" 2>>"$5" || {
  __stint_fail 126 "$4"
  exit 126
}
cd -- "$3" || {
  __stint_fail 126 "$3"
  exit 126
}
unset OLDPWD
shift 5
[ -z "$BASH_VERSION" ] || shopt -s execfail
# The ID is written by the child (it is the shim's ID all the same), when signals to the group have
# their effect on it. The trap runs only where exec failed, which tells 127 of ours from 127 of the
# command.
(
  printf '%s %s\n' "$$" "$__stint_boot" >"$__stint_dir/pid"
  trap '__stint_fail $? "$1"' EXIT
  [ ! -e "$__stint_dir/fault" ] || exec 3>"$__stint_dir/fault"
  exec "$@"
  exit $?
)
__stint_code=$?
# Where more than the command was to be started, this is what of it failed.
if [ -s "$__stint_dir/fault" ]; then
  IFS= read -r __stint_why <"$__stint_dir/fault"
  printf '%s StartError %s\n' "$__stint_code" "$__stint_why" >"$__stint_dir/exit"
fi
[ -e "$__stint_dir/exit" ] || printf '%s\n' "$__stint_code" >"$__stint_dir/exit"
exit "$__stint_code"
