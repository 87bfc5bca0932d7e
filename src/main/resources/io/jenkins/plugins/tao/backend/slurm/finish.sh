tao_rc=$?
if [ "$tao_rc" = 137 ] && [ $(($(date +%s) - tao_start)) -ge "$tao_timeout" ]; then tao_rc=124; fi
if [ "$tao_rc" = 124 ] && [ -z "$tao_signal" ]; then
  echo "tao: the command was ended after its timeout of $tao_timeout s" >&2
  if [ "$tao_run" -lt "$tao_requeues" ] && [ ! -e "$tao_base/submit/$tao_key.cancel" ]; then
    echo "tao: starting again, $((tao_run + 1)) of at most $tao_requeues times" >&2
    tao_signal=REQUEUE
    scontrol requeue "$tao_id" && { sleep 300 & wait; }
    tao_signal=
  fi
fi
exit "$tao_rc"
