# Stands between the runner and the commands of containers, one after the other, so that an outcome
# is written down even where the runner died meanwhile. Arguments: what tells whose it is (see
# AttemptDir), boot id. Reads requests "ID DIRECTORY" from file 4 and reports "ID CODE" to file 3;
# the directory is the attempt's. Ends when there is nobody to ask for more.
# Signals to the group are for the command; a no-op handler (unlike "ignore") is not inherited by it.
trap : HUP INT QUIT TERM USR1 USR2 PIPE
__stint_owner=$1 __stint_boot=$2
[ -z "$BASH_VERSION" ] || shopt -s execfail
__stint_fail() {
  case $1 in
    126) __stint_why="permission denied, or not a program for this machine" ;;
    127) __stint_why="it or its interpreter was not found" ;;
    *) return ;;
  esac
  printf '%s StartError cannot run "%s": %s\n' "$1" "$2" "$__stint_why" >"$__stint_dir/exit"
}
while IFS=' ' read -r __stint_id __stint_dir <&4; do
  # The ID is written by the child (it is the shim's ID all the same), when signals to the group
  # have their effect on it. The trap runs only where exec failed, which tells 127 of ours from 127
  # of the command. The script sets the variables, the arguments, and the three names used here.
  (
    exec 3>&- 4<&-
    . "$__stint_dir/script"
    command exec >>"$__stint_stdout" 2>>"$__stint_stderr" || {
      __stint_fail 126 "$__stint_stdout"
      exit 126
    }
    cd -- "$__stint_cwd" || {
      __stint_fail 126 "$__stint_cwd"
      exit 126
    }
    unset OLDPWD
    printf '%s %s %s\n' "$$" "$__stint_boot" "$__stint_owner" >"$__stint_dir/pid"
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
  [ -s "$__stint_dir/exit" ] || printf '%s\n' "$__stint_code" >"$__stint_dir/exit"
  printf '%s %s\n' "$__stint_id" "$__stint_code" >&3
done
