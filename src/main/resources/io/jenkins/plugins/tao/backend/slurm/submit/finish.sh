tao_rc=$?
if [ -z "$tao_roles" ]; then tao_weigh_ranks "$tao_ranks" "$tao_nodes" "$tao_rc"; fi
tao_weighed=1
if [ -n "$tao_late" ]; then
  tao_rc=124 tao_by=command tao_first=
else
  tao_tell_first
fi
if [ "$tao_rc" = 124 ] && [ -z "$tao_signal" ]; then
  echo "tao: the command was ended after its timeout of $tao_timeout s" >&2
  if [ "$tao_run" -lt "$tao_requeues" ] && [ ! -e "$tao_base/submit/$tao_key.cancel" ]; then
    echo "tao: starting again, $((tao_run + 1)) of at most $tao_requeues times" >&2
    tao_signal=REQUEUE
    scontrol requeue "$tao_id" && { sleep 300 & wait "$!"; }
    tao_signal=
  fi
fi
exit "$tao_rc"
