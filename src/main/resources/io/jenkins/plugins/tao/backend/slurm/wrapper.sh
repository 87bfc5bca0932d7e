# ---- the job's frame: links to the logs, secrets, exit record ----
tao_id=$SLURM_JOB_ID
tao_run=${SLURM_RESTART_COUNT:-0}
tao_record=$tao_base/exit/$tao_key-$tao_id
tao_secrets=$tao_base/secrets/$tao_key.${TAO_ATTEMPT:-1}.env
tao_start=$(date +%s)
tao_by=frame
tao_signal=

# The last line counts. Where a full disk takes no new file, the block of the old one still has room for a line.
tao_note() {
  tao_said="run=$tao_run start=$tao_start$1"
  printf '%s\n' "$tao_said" > "$tao_record.part" && mv -f "$tao_record.part" "$tao_record" || printf '%s\n' "$tao_said" >> "$tao_record"
}

tao_end() {
  tao_code=$?
  trap - EXIT
  trap '' TERM
  tao_note " end=$(date +%s) code=$tao_code by=${tao_signal:-$tao_by}"
  # A signal may be Slurm putting the job back into the queue: then the next run needs the secrets still.
  [ -n "$tao_signal" ] || rm -f "$tao_secrets"
  exit "$tao_code"
}

# Only takes note: nothing is saved in a handler, and the command hears of it through Slurm.
tao_heard() {
  tao_signal=$1
  [ -z "$tao_forward" ] || scancel --signal="$1" "$tao_id" > /dev/null 2>&1 &
}

# Runs a command and waits for its end, however many signals interrupt the waiting.
tao_run_command() {
  "$@" &
  tao_child=$!
  wait "$tao_child"
  tao_rc=$?
  while [ -n "$tao_signal" ] && kill -0 "$tao_child" 2> /dev/null; do
    wait "$tao_child"
    tao_rc=$?
  done
  return "$tao_rc"
}

trap tao_end EXIT
for tao_name in TERM $tao_forward; do trap "tao_heard $tao_name" "$tao_name"; done
tao_note ''
tao_logs=$tao_base/slurm-logs/$SLURM_JOB_NAME-$tao_id
mkdir -p "$tao_logs" "$tao_results"
for tao_name in out err; do ln -f "$tao_logs.$tao_name" "$tao_logs/main.$tao_name"; done
if [ -n "$tao_needs_secrets" ]; then
  if [ -r "$tao_secrets" ]; then
    . "$tao_secrets"
  else
    echo "tao: the secrets of this run are gone ($tao_secrets); submit the job again" >&2
    exit 78
  fi
fi
