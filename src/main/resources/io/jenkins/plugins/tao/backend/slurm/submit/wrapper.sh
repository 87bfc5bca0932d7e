# ---- the job's frame: links to the logs, secrets, exit record ----
unset -f srun squeue scancel scontrol
unset ${!SQUEUE_@} ${!SCANCEL_@} ${!SCONTROL_@}
tao_id=${tao_member:-$SLURM_JOB_ID}
tao_run=${SLURM_RESTART_COUNT:-0}
tao_record=$tao_base/exit/$tao_key-$tao_id
# A controller that lost its last seconds runs an id again and counts it as the first time: the note of the run before tells.
if [[ $(tail -n 1 "$tao_record" 2> /dev/null) =~ ^run=([0-9]{1,5})\ start= ]] && [ "$tao_run" -le "${BASH_REMATCH[1]}" ]; then
  tao_run=$((BASH_REMATCH[1] + 1))
fi
tao_secrets=$tao_base/secrets/$tao_key.${TAO_ATTEMPT:-1}.env
tao_start=$(date +%s)
tao_by=frame
tao_signal=
tao_first=
tao_weighed=
tao_sampler=
tao_collector=
tao_asked=
tao_ranks=$tao_record.ranks/$tao_run

# The last line counts. Where a full disk takes no new file, the block of the old one still has room for a line.
tao_note() {
  tao_said="run=$tao_run start=$tao_start$1"
  printf '%s\n' "$tao_said" > "$tao_record.part" && mv -f "$tao_record.part" "$tao_record" || printf '%s\n' "$tao_said" >> "$tao_record"
}

tao_end() {
  tao_code=$?
  trap - EXIT
  trap '' TERM
  tao_note " end=$(date +%s) code=$tao_code${tao_weighed:+ ranks=$tao_nodes$tao_first} by=${tao_signal:-$tao_by}"
  [ -z "$tao_sampler" ] || kill "$tao_sampler" 2> /dev/null
  [ -z "$tao_collector" ] || tao_collect_last
  rm -rf "$tao_record.ranks"
  # Only the command's own end is surely the last: after a signal, or without the notes of a rank, Slurm may run the job again, and that run
  # needs the secrets. Then they are removed when Slurm has told the end.
  case ${tao_signal:-$tao_by} in
    command) { [ -n "$tao_member" ] && ! tao_last; } || rm -f "$tao_secrets" ;;
  esac
  # Slurm is to call it cancelled, whatever the command made of the signal.
  [ -z "$tao_asked" ] || { kill -USR2 "$tao_asked"; scancel "$tao_id" && sleep 2; } > /dev/null 2>&1
  exit "$tao_code"
}

# Only takes note: nothing is saved in a handler, and the command hears of it through Slurm. A cancel with a grace signals this shell alone.
tao_heard() {
  tao_signal=$1
  if [ "$1" = TERM ] && [ "$tao_grace" -gt 0 ] && [ -z "$tao_asked" ] && [ -e "$tao_base/submit/$tao_key.cancel" ]; then
    tao_give_grace > /dev/null 2>&1 < /dev/null &
    tao_asked=$!
  fi
  [ -z "$tao_forward" ] || scancel --signal="$1" "$tao_id" > /dev/null 2>&1 &
}

# Ends the step $tao_timeout seconds after its start, so that the command can save what it has: TERM to the first process of each task,
# which hands it on, and KILL a minute later. Runs beside the step; $1 holds the process ids of srun, which itself would kill at once.
# Exit code 9 once it has acted.
tao_deadline() {
  trap - EXIT
  for tao_name in TERM $tao_forward; do trap '' "$tao_name"; done
  tao_acted=0
  tao_before=$!
  trap '[ "$!" = "$tao_before" ] || kill -KILL "$!" 2> /dev/null; exit "$tao_acted"' URG # what is started here ignores TERM too
  tao_pause "$tao_timeout"
  tao_acted=9
  { printf '' > "$tao_record.ranks/late"; } 2> /dev/null
  scancel --signal=TERM "$tao_id" > /dev/null 2>&1 || kill -TERM $1 2> /dev/null
  tao_pause 60
  scancel --signal=KILL "$tao_id" > /dev/null 2>&1
  kill -TERM $1 2> /dev/null
  exit 9
}

# The polite signal to the command, and the end of the job after the grace.
tao_give_grace() {
  trap - EXIT
  for tao_name in TERM $tao_forward; do trap '' "$tao_name"; done
  trap 'kill -KILL "$!"; exit 0' USR2
  scancel --signal=TERM "$tao_id"
  tao_pause "$tao_grace"
  scancel "$tao_id"
}

tao_pause() {
  sleep "$1" &
  tao_sleeper=$!
  wait "$tao_sleeper"
  tao_sleeper=
}

# Runs a command with the deadline, and waits for its end however many signals interrupt the waiting.
tao_run_command() {
  tao_late=
  "$@" &
  tao_child=$!
  tao_start_deadline "$tao_child"
  wait "$tao_child"
  tao_rc=$?
  while [ -n "$tao_signal" ] && kill -0 "$tao_child" 2> /dev/null; do
    wait "$tao_child"
    tao_rc=$?
  done
  tao_stop_deadline
  return "$tao_rc"
}

# A timeout of 0 is none: Slurm ends the job.
tao_start_deadline() {
  tao_watcher=
  [ "$tao_timeout" -gt 0 ] || return 0
  tao_deadline "$1" &
  tao_watcher=$!
}

tao_stop_deadline() {
  [ -n "$tao_watcher" ] || return 0
  # Before its trap is set it ignores this signal, as every process does; another one would kill it, and the log would say so.
  while kill -URG "$tao_watcher" 2> /dev/null; do sleep 0.05; done
  wait "$tao_watcher"
  [ $? != 9 ] || tao_late=1
}

# What the ranks noted, whatever srun says: Slurm 22.05 ends a step whose node is taken away with 0. $1 is the path of the notes without
# the rank, $2 the number of ranks, $3 srun's exit code. Sets tao_rc, tao_by and tao_first, " rank=N node=NAME" of the one that decides:
# the first that failed by itself, else one that ended on a signal, else one that began and noted no end. Where none began, srun could not
# launch the command.
tao_weigh_ranks() {
  tao_rc=$3
  tao_by=command
  tao_first=
  tao_begun=
  tao_earliest=
  tao_interrupted=
  tao_gone=
  tao_silent=
  tao_rank=0
  while [ "$tao_rank" -lt "$2" ]; do
    tao_weigh_rank "$1.$tao_rank"
    tao_rank=$((tao_rank + 1))
  done
  if [ -n "$tao_earliest" ]; then
    return
  elif [ -n "$tao_interrupted" ]; then
    tao_by=${tao_interrupted%% *}
    tao_first=" rank=${tao_interrupted#* }"
  elif [ -n "$tao_gone" ]; then
    tao_by=lost
    tao_first=" rank=$tao_gone"
  elif [ -n "$tao_silent" ] && [ "$3" = 0 ]; then
    tao_by=step
  elif [ -z "$tao_begun" ] && [ -z "$tao_late" ] && { printf '' > "$tao_record.ranks/frame"; } 2> /dev/null; then
    tao_by=$(cat "$tao_logs"/*.err 2> /dev/null | tao_why_not_launched)
  fi
}

# What kept srun from launching, by the words of this run in the logs, of which the first rule decides as in failure-rules.txt: node when it is
# no fault of the job, launch when it is or nothing is known, command when a container could not be made, of which the log tells more.
tao_why_not_launched() {
  awk '
    function said(number, word) { if (!first || number < first) { first = number; why = word } }
    /^tao: run [0-9]+ starts here/ { first = 0; container = 0 }
    /pyxis|enroot|--container-/ { container = 1 }
@RULES@
    END { print (first && why == "node" ? "node" : container ? "command" : "launch") }'
}

# Takes the note of rank $tao_rank, in file $1, into account.
tao_weigh_rank() {
  tao_line=$(tr '\n' ' ' 2> /dev/null < "$1") || { tao_silent=1; return; }
  if ! [[ $tao_line =~ ^start=[0-9.]+\ node=([^ ]+)\ (end=([0-9.]+)\ code=([0-9]+)\ by=([A-Za-z0-9]+))? ]]; then
    tao_silent=1
    return
  fi
  tao_begun=1
  tao_told="$tao_rank node=${BASH_REMATCH[1]}"
  case ${BASH_REMATCH[5]}:${BASH_REMATCH[4]} in
    :*) tao_gone=${tao_gone:-$tao_told} ;;
    command:0) ;;
    command:*)
      if [ -z "$tao_earliest" ] || tao_before "${BASH_REMATCH[3]}" "$tao_earliest"; then
        tao_earliest=${BASH_REMATCH[3]}
        tao_rc=${BASH_REMATCH[4]}
        tao_first=" rank=$tao_told"
      fi ;;
    *) tao_interrupted=${tao_interrupted:-${BASH_REMATCH[5]} $tao_told} ;;
  esac
}

# Whether the time $1 is before $2, both in seconds with or without a fraction.
tao_before() {
  [ "${1%%.*}" -lt "${2%%.*}" ] ||
    { [ "${1%%.*}" = "${2%%.*}" ] && [[ ${1#*.} < ${2#*.} ]]; }
}

# Of several ranks the log has the words of all: the last ones of the rank that failed first stand at its end.
tao_tell_first() {
  [ "$tao_nodes" -gt 1 ] && [ -z "$tao_roles" ] && [ "$tao_by" = command ] && [ -n "$tao_first" ] || return 0
  set -- $tao_first
  echo "tao: rank ${1#*=} on ${2#*=} was the first to fail, with exit code $tao_rc; its last lines:" >&2
  tail -q -n 20 "$tao_ranks.${1#*=}.out" "$tao_ranks.${1#*=}.err" >&2 2> /dev/null
}

trap tao_end EXIT
for tao_name in TERM $tao_forward; do trap "tao_heard $tao_name" "$tao_name"; done
tao_note ''
tao_log=$tao_base/slurm-logs/$SLURM_JOB_NAME-$tao_id
tao_logs=$tao_log
[ -z "$tao_member" ] || tao_logs=${tao_log%_*}/$SLURM_ARRAY_TASK_ID
mkdir -p "$tao_logs" "$tao_results" "$tao_record.ranks"
# A results directory belongs to one job at a time: another that has not ended would mix its files and its status.json with ours.
tao_claim() {
  tao_owner=
  { read -r tao_owner < "$tao_results/.tao-job"; } 2> /dev/null
  if [ -n "$tao_owner" ] && [ "$tao_owner" != "$tao_key" ] &&
    [ -n "$(squeue -h --name="tao-job-$tao_owner" --states=RUNNING,SUSPENDED,COMPLETING -o %i 2> /dev/null)" ]; then
    echo "tao: the results directory $tao_results is in use by job $tao_owner, which has not ended: give each job its own directory" >&2
    exit 79
  fi
  { printf '%s\n' "$tao_key" > "$tao_results/.tao-job.$tao_id" && mv -f "$tao_results/.tao-job.$tao_id" "$tao_results/.tao-job"; } 2> /dev/null
}
tao_claim
# The log goes on where the run before ended: readers tell the two apart by this line.
if [ "$tao_run" != 0 ]; then
  echo "tao: run $((tao_run + 1)) starts here: Slurm had put the job back into the queue"
  echo "tao: run $((tao_run + 1)) starts here: Slurm had put the job back into the queue" >&2
fi
for tao_name in out err; do ln -f "$tao_log.$tao_name" "$tao_logs/main.$tao_name"; done
if [ -n "$tao_needs_secrets" ]; then
  if [ -r "$tao_secrets" ]; then
    . "$tao_secrets"
  else
    echo "tao: the secrets of this run are gone ($tao_secrets); submit the job again" >&2
    exit 78
  fi
fi
