# Cancels attempt $tao_a for $tao_by, who is noted where nobody was before: its wrapper, where one lives, ends every process of the job; else they are ended from here. Of a job that
# has ended, what survived it is ended. Follows the functions of leases; exit code 12: another controller holds the job.
[ -d "$tao_a" ] || exit 0
lease_take "$tao_lease" || { lease_tell "$tao_lease" >&2; exit 12; }
if [ ! -e "$tao_a/exit" ]; then
  [ -s "$tao_a/cancel" ] || printf '%s' "${tao_by:+$tao_by
}" >"$tao_a/cancel"
  if tao_alive "$tao_a"; then
    kill -s TERM -- "-$tao_pid" || ! tao_alive "$tao_a" || exit 5
    exit 0
  fi
fi
read -r tao_pid tao_start tao_was tao_since 2>/dev/null <"$tao_a/process" || exit 0
[ "$tao_was" = "$tao_boot" ] || exit 0
tao_grace=$(sed -n 's/^tao_grace=//p' "${tao_a%/*}/settings")
tao_left=$(tao_rest "$tao_a")
[ -z "$tao_left" ] || [ -e "$tao_a/container" ] || kill -s TERM $tao_left 2>/dev/null
(
  tao_n=0
  while [ "$tao_n" -lt 30 ]; do
    tao_box=$(tao_container "$tao_a")
    case $?$tao_box in 0running* | 0paused*) "$tao_tool" stop -t "$tao_grace" "$tao_name" ;; 2*) ;; *) break ;; esac
    tao_n=$((tao_n + 1))
    sleep 2
  done
  tao_n=0
  while [ "$tao_n" -lt "${tao_grace:-30}" ] && [ -n "$(tao_rest "$tao_a")" ]; do sleep 1; tao_n=$((tao_n + 1)); done
  tao_left=$(tao_rest "$tao_a")
  [ -z "$tao_left" ] || kill -s KILL $tao_left
) >/dev/null 2>&1 </dev/null &
