# Cancels attempt $tao_a.
[ -d "$tao_a" ] && [ ! -e "$tao_a/exit" ] || exit 0
: >"$tao_a/cancel"
if tao_alive "$tao_a"; then
  kill -s TERM -- "-$tao_pid" || ! tao_alive "$tao_a" || exit 5
  exit 0
fi
[ -n "$tao_pid" ] && [ "$tao_was" = "$tao_boot" ] || exit 0
tao_grace=$(sed -n 's/^tao_grace=//p' "${tao_a%/*}/settings")
tao_left=$(tao_members "$tao_a")
[ -z "$tao_left" ] || kill -s TERM $tao_left 2>/dev/null
(
  tao_n=0
  case $(tao_container "$tao_a") in running* | paused*) "$tao_tool" stop -t "$tao_grace" "$tao_name" ;; esac
  while [ "$tao_n" -lt "${tao_grace:-30}" ] && [ -n "$(tao_members "$tao_a")" ]; do sleep 1; tao_n=$((tao_n + 1)); done
  tao_left=$(tao_members "$tao_a")
  [ -z "$tao_left" ] || kill -s KILL $tao_left
) >/dev/null 2>&1 </dev/null &
