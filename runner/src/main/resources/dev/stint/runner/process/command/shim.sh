# shellcheck shell=sh disable=SC1091,SC2154 # The script of an attempt sets the variables.
# shellcheck disable=SC3044,SC2172 # Only bash reaches shopt; signals have these numbers on Linux.
# Runs the commands of containers for the runner, one after the other, and records each outcome,
# even if the runner has died meanwhile.
#
# Arguments: an owner ID (see AttemptDir), the boot ID, the directory of all pods.
# File 4: requests "ID POD-UID/CONTAINER/NUMBER"; a shell reads them one byte at a time.
# File 3: reports "ID CODE", and behind it "stopped" if the shim was told to end, too, as a service
# manager tells all processes of a service. The shim exits when file 4 ends.
#
# Files in the attempt's directory are overwritten and never truncated: truncating waits for the
# disk. They may still hold the text of another attempt, or an empty line.
# shim.c does the same, and more, if it is compiled: a change here needs the same change there.
# Signals to the group are for the command. Unlike "ignore", a no-op handler is not inherited by it.
# The first line has those that would end or stop this shell; the other lines the real-time signals.
trap '__stint_signal=1' 2 3 4 5 6 7 8 10 11 12 13 14 16 20 21 22 24 25 26 27 29 30 31 \
  34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 \
  50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
trap '__stint_signal=1 __stint_stopped=Stopped' HUP TERM
__stint_owner=$1 __stint_boot=$2 __stint_pods=$3
[ -z "$BASH_VERSION" ] || shopt -s execfail
__stint_fail() {
  case $1 in
    126) __stint_why="permission denied, or not a program for this machine" ;;
    127) __stint_why="it or its interpreter was not found" ;;
    *) return ;;
  esac
  printf 'cannot run "%s": %s\n' "$2" "$__stint_why" >"$__stint_dir/fault"
}
# A signal ends the wait of an idle shell, as the end of the file does.
__stint_next() {
  while __stint_signal=; do
    IFS=' ' read -r __stint_id __stint_attempt <&4 && return
    [ -n "$__stint_signal" ] || return
  done
}
while __stint_next; do
  __stint_dir=$__stint_pods/$__stint_attempt
  __stint_uid=${__stint_attempt%%/*}
  __stint_stopped=
  # Both files get their place on the disk before the command can fill it: one that has ended would
  # run again. Spare files have it.
  for __stint_file in pid exit; do
    [ -s "$__stint_dir/$__stint_file" ] ||
      printf '\n' 2>/dev/null 1<>"$__stint_dir/$__stint_file" ||
      kill -KILL $$
  done
  # The child writes the ID (which is the shim's), once signals to the group take effect on it. The
  # trap runs only if exec failed, which distinguishes our 127 from that of the command. The script
  # sets the variables, the arguments, and the three names used here.
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
    printf '%s %s %s %s\n' "$__stint_uid" "$$" "$__stint_boot" "$__stint_owner" 1<>"$__stint_dir/pid"
    trap '__stint_fail $? "$1"' EXIT
    [ ! -e "$__stint_dir/fault" ] || exec 3>"$__stint_dir/fault"
    exec "$@"
    exit $?
  )
  __stint_code=$?
  # A stop of all processes may reach the command first.
  case $__stint_code$__stint_stopped in
    129 | 143) sleep 1 3>&- 4<&- ;;
  esac
  # The program that could not be started, if there is one.
  __stint_why=
  if [ -s "$__stint_dir/fault" ]; then
    IFS= read -r __stint_why <"$__stint_dir/fault"
    __stint_why=" StartError $__stint_why"
  fi
  printf '%s %s%s\n' "$__stint_uid" "$__stint_code" \
    "${__stint_stopped:+ Stopped}$__stint_why" 1<>"$__stint_dir/exit"
  printf '%s %s%s\n' "$__stint_id" "$__stint_code" "${__stint_stopped:+ stopped}" >&3
done
