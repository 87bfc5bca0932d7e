
# ---- the frame around the command; POSIX sh, for dash, bash and busybox ----
# Its mark is put together here, so that neither this text nor a list of processes holds it as a whole.
tao_mark="@tao[$tao_key]"
tao_pid='' tao_relay='' tao_stopped=''

tao_say() { printf 'tao: %s\n' "$*" >&2; }

# The log's last word: without it a reader knows that the container was taken away.
tao_end() {
  tao_code=$?
  trap - EXIT
  trap '' TERM INT HUP
  tao_unwatch_gpus
  tao_give_up_claim
  printf '\n%s exit %s\n' "$tao_mark" "$tao_code"
  exit "$tao_code"
}

# A signal goes to all processes of the command; the exit code it ends with stays the one that counts.
tao_stop() {
  tao_stopped=$1
  [ -n "$tao_pid" ] || exit 143
  kill -s "$1" -- "$tao_group$tao_pid" 2>/dev/null
}
trap tao_end EXIT
for tao_signal in TERM INT HUP; do trap "tao_stop $tao_signal" "$tao_signal"; done

tao_wait() {
  wait "$1" 2>/dev/null
  tao_rc=$?
  while kill -0 "$1" 2>/dev/null; do
    wait "$1" 2>/dev/null
    tao_rc=$?
  done
  # bash 5.2 may say 127 for a process that ends while it begins to wait ("wait_for: No record of process"): asked again, it knows.
  if [ "$tao_rc" = 127 ]; then
    wait "$1" 2>/dev/null
    tao_rc=$?
  fi
  # A signal ends a wait with a code of its own; the process may be gone by then, and its code is still to be asked for.
  if [ -n "$tao_stopped" ]; then
    wait "$1" 2>/dev/null
    tao_late=$?
    [ "$tao_late" = 127 ] || tao_rc=$tao_late
  fi
}

# Whether a process of the command's group is alive; one that has ended and waits to be reaped is not.
tao_group_lives() {
  kill -0 "-$1" 2>/dev/null || return 1
  for tao_stat in /proc/[0-9]*/stat; do
    { IFS= read -r tao_line <"$tao_stat"; } 2>/dev/null || continue
    tao_group_id=$1
    tao_words=${tao_line##*) }
    tao_alive=${tao_words%% *}
    tao_words=${tao_words#* }
    tao_words=${tao_words#* }
    if [ "${tao_words%% *}" = "$tao_group_id" ] && [ "$tao_alive" != Z ]; then return 0; fi
  done
  return 1
}

# TAO's launcher is gone at once on TERM, while the training it started still writes its checkpoint: after a signal all of the group is
# waited for. An interrupted command that ends with 0 has not done its work: TAO's launcher takes an interruption for a pass.
tao_outlast() {
  [ -n "$tao_stopped" ] || return 0
  while [ -n "$tao_group" ] && tao_group_lives "$1"; do sleep 1; done
  [ "$tao_rc" != 0 ] || tao_rc=143
}

# The leader of a session of its own has its process id for the id of the group.
tao_group=''
if command -v setsid >/dev/null 2>&1; then tao_group=-; fi
tao_start() {
  if [ -n "$tao_group" ]; then setsid "$@" </dev/null & else "$@" </dev/null & fi
  tao_pid=$!
}

# ---- status.json: each new line goes to the log, marked ----
tao_files=0
tao_current=''

# Sets tao_i to the number under which the file is remembered.
tao_slot() {
  tao_i=0
  while [ "$tao_i" -lt "$tao_files" ]; do
    eval "tao_known=\$tao_file_$tao_i"
    [ "$tao_known" != "$1" ] || return 0
    tao_i=$((tao_i + 1))
  done
  eval "tao_file_$tao_i=\$1 tao_done_$tao_i=0 tao_inode_$tao_i="
  tao_files=$((tao_files + 1))
}

tao_inode() {
  tao_node=$(ls -id -- "$1" 2>/dev/null) || tao_node='? '
  tao_node=${tao_node#"${tao_node%%[! ]*}"}
  tao_node=${tao_node%% *}
}

# What an attempt before this one wrote is not told again.
tao_remember() {
  for tao_f in "$tao_results"/status.json "$tao_results"/*/status.json "$tao_results"/*/*/status.json; do
    [ -f "$tao_f" ] || continue
    tao_slot "$tao_f"
    tao_inode "$tao_f"
    eval "tao_done_$tao_i=\$((\$(wc -c <\"\$tao_f\"))) tao_inode_$tao_i=\$tao_node"
  done
}

# Tells the new complete lines of one file, in bounded bites; a line of more than a bite is left out.
tao_drain() {
  [ -f "$1" ] || return 0
  tao_slot "$1"
  tao_inode "$1"
  eval "tao_done=\$tao_done_$tao_i tao_was=\$tao_inode_$tao_i"
  tao_size=$(($(wc -c <"$1")))
  if [ "$tao_size" -lt "$tao_done" ] || { [ -n "$tao_was" ] && [ "$tao_was" != "$tao_node" ]; }; then tao_done=0; fi
  tao_bites=0
  while [ "$tao_done" -lt "$tao_size" ] && [ "$tao_bites" -lt 16 ]; do
    tao_bites=$((tao_bites + 1))
    tao_lines=$(($(tail -c "+$((tao_done + 1))" "$1" | head -c "$tao_bite" | wc -l)))
    if [ "$tao_lines" -gt 0 ]; then
      tail -c "+$((tao_done + 1))" "$1" | head -c "$tao_bite" | head -n "$tao_lines" | tao_tell
      tao_bytes=$(tail -c "+$((tao_done + 1))" "$1" | head -c "$tao_bite" | head -n "$tao_lines" | wc -c)
      tao_done=$((tao_done + tao_bytes))
    elif [ "$((tao_size - tao_done))" -ge "$tao_bite" ]; then
      tao_done=$((tao_done + tao_bite))
    elif [ -n "$1" ] && [ -n "$tao_last" ]; then
      { tail -c "+$((tao_done + 1))" "$1"; echo; } | tao_tell
      tao_done=$tao_size
    else
      break
    fi
  done
  eval "tao_done_$tao_i=\$tao_done tao_inode_$tao_i=\$tao_node"
}

# The empty line keeps a mark from landing behind the command's unfinished line; its reader takes it away again.
tao_tell() {
  while IFS= read -r tao_line; do
    [ -z "$tao_line" ] || printf '\n%s status %s\n' "$tao_mark" "$tao_line"
  done
}

# Of several files the newest counts; the one before it is told to its end first.
tao_look() {
  tao_newest=$tao_current
  for tao_f in "$tao_results"/status.json "$tao_results"/*/status.json "$tao_results"/*/*/status.json; do
    [ -f "$tao_f" ] || continue
    tao_slot "$tao_f"
    eval "tao_done=\$tao_done_$tao_i"
    [ "$(($(wc -c <"$tao_f")))" != "$tao_done" ] || continue
    if [ ! -f "$tao_newest" ] || [ "$tao_f" -nt "$tao_newest" ]; then tao_newest=$tao_f; fi
  done
  [ -z "$tao_current" ] || tao_drain "$tao_current"
  [ "$tao_newest" = "$tao_current" ] || tao_drain "$tao_newest"
  tao_current=$tao_newest
}

# Whether a process is a child of the frame: once it is waited for, its number may be another process's.
tao_is_child() {
  [ -r "/proc/$$/stat" ] || return 0
  { IFS= read -r tao_line <"/proc/$1/stat"; } 2>/dev/null || return 1
  tao_words=${tao_line##*) }
  tao_words=${tao_words#* }
  [ "${tao_words%% *}" = "$$" ]
}

# Follows until the process is gone, and looks once more then.
tao_follow() {
  trap - EXIT
  trap '' TERM INT HUP
  LC_ALL=C
  tao_last=''
  tao_rest=0
  while kill -0 "$1" 2>/dev/null && tao_is_child "$1"; do
    if [ "$tao_rest" -le 0 ]; then
      tao_look
      tao_rest=$tao_interval
    fi
    sleep 1
    tao_rest=$((tao_rest - 1))
  done
  tao_last=1
  tao_look
}

# ---- what the node tells of its GPUs: beside the command, without its secrets, and no part of its output ----
tao_sampler=''
tao_watch_gpus() {
  [ -n "$tao_gpu_program" ] || return 0
  env -i PATH="$PATH" LD_LIBRARY_PATH="${LD_LIBRARY_PATH-}" sh -c "$tao_gpu_program" sh "$$" '' "$tao_gpu_pause" "$tao_key" </dev/null 2>/dev/null &
  tao_sampler=$!
}

# Nothing of it may follow the log's last word.
tao_unwatch_gpus() {
  [ -n "$tao_sampler" ] || return 0
  kill "$tao_sampler" 2>/dev/null
  wait "$tao_sampler" 2>/dev/null
  tao_sampler=''
}

# ---- whose results directory it is ----
# A directory that the user named belongs to one job at a time: another that has not ended would mix its files and its status.json
# with ours. Nothing outside its container tells whether the other one runs: each owner keeps a number growing in .tao/owner, and one
# whose number stands still has ended.
tao_read_owner() {
  tao_owner='' tao_count=''
  { read -r tao_owner tao_count; } 2>/dev/null <"$tao_claim"
}

# Writes in place and always the same number of bytes, so that no reader finds the file empty.
tao_beat_once() { printf '%s %010d\n' "$tao_key" "$1" 2>/dev/null 1<>"$tao_claim"; }

tao_keep_claim() {
  trap - EXIT
  tao_beats=0
  while kill -0 "$1" 2>/dev/null; do
    tao_beats=$((tao_beats + 1))
    tao_read_owner
    if [ "${tao_owner:-$tao_key}" != "$tao_key" ]; then return; fi
    tao_beat_once "$tao_beats"
    sleep "$tao_beat"
  done
}

tao_claimed=''
tao_claim_results() {
  tao_claim=$tao_results/.tao/owner
  mkdir -p -- "$tao_results/.tao" 2>/dev/null
  tao_waited=0
  while tao_read_owner; [ "${tao_owner:-$tao_key}" != "$tao_key" ]; do
    if [ "$tao_waited" = 0 ]; then
      tao_seen="$tao_owner $tao_count"
      tao_say "job $tao_owner wrote to $tao_results before; looking for at most $tao_silence s whether it has ended"
    elif [ "$tao_owner $tao_count" != "$tao_seen" ]; then
      tao_in_use
    elif [ "$tao_waited" -ge "$tao_silence" ]; then
      rm -f -- "$tao_claim"
      break
    fi
    sleep 1
    tao_waited=$((tao_waited + 1))
  done
  (set -C; printf '%s %010d\n' "$tao_key" 0 >"$tao_claim") 2>/dev/null
  tao_read_owner
  if [ "${tao_owner:-$tao_key}" != "$tao_key" ]; then tao_in_use; fi
  tao_keep_claim $$ </dev/null >/dev/null 2>&1 &
  tao_claimed=$!
  tao_note_begin
}

tao_in_use() {
  tao_say "the results directory $tao_results is in use by job $tao_owner, which has not ended: give each job its own directory"
  exit 79
}

# What is older than this file is another job's. A further attempt of the same job keeps the time of the first.
tao_note_begin() {
  tao_owner=''
  { read -r tao_owner; } 2>/dev/null <"$tao_results/.tao/began"
  [ "$tao_owner" != "$tao_key" ] || return 0
  { printf '%s\n' "$tao_key" >"$tao_results/.tao/began.$tao_rank" &&
    mv -f -- "$tao_results/.tao/began.$tao_rank" "$tao_results/.tao/began"; } 2>/dev/null
}

# Of several ranks those that run on put the claim back with their next number.
tao_give_up_claim() {
  [ -n "$tao_claimed" ] || return 0
  kill "$tao_claimed" 2>/dev/null
  wait "$tao_claimed" 2>/dev/null
  tao_read_owner
  if [ "$tao_owner" = "$tao_key" ]; then rm -f -- "$tao_claim"; fi
}

# ---- the experiment spec ----
tao_put_spec() {
  if ! printf '%s' "$tao_spec" >"$1.part.$tao_rank" || ! mv -f -- "$1.part.$tao_rank" "$1"; then
    tao_say "the experiment spec cannot be written to $1; is the volume full?"
    exit 74
  fi
}

# TAO's launcher writes the number of nodes and GPUs into the spec where it lies. On a volume that several containers share,
# one that reads it while another writes finds it empty, and goes on alone: so each node has its own.
tao_own_spec() {
  tao_own=${tao_config%.*}.nodes/$tao_rank.${tao_config##*.}
  mkdir -p -- "${tao_own%/*}"
  tao_put_spec "$tao_own"
  tao_rest=$tao_command
  tao_command=''
  while case $tao_rest in *"$tao_config"*) true ;; *) false ;; esac; do
    tao_command=$tao_command${tao_rest%%"$tao_config"*}$tao_own
    tao_rest=${tao_rest#*"$tao_config"}
  done
  tao_command=$tao_command$tao_rest
}

# ---- this container is one member of many: its index, and the texts that have a place for it ----
# A further attempt has the members that are left, in the order of its completion indices.
tao_become_member() {
  TAO_MEMBER=${JOB_COMPLETION_INDEX:-0}
  if [ -n "${TAO_MEMBERS-}" ]; then
    set -- $TAO_MEMBERS
    shift "$TAO_MEMBER"
    TAO_MEMBER=$1
  fi
  export TAO_MEMBER
  for tao_name in tao_results tao_config tao_spec tao_command tao_uploads tao_resume TAO_RESULTS_DIR; do
    eval "tao_rest=\$$tao_name"
    tao_filled=''
    while case $tao_rest in *'{tao_member}'*) true ;; *) false ;; esac; do
      tao_filled=$tao_filled${tao_rest%%'{tao_member}'*}$TAO_MEMBER
      tao_rest=${tao_rest#*'{tao_member}'}
    done
    eval "$tao_name=\$tao_filled\$tao_rest"
  done
}

# ---- the run ----
if [ -n "$tao_prologue" ]; then eval "$tao_prologue"; fi
tao_rank=${TAO_NODE_RANK:-${NODE_RANK:-${JOB_COMPLETION_INDEX:-${LEPTON_JOB_WORKER_INDEX:-0}}}}
if [ -n "$tao_members" ]; then
  tao_become_member
  tao_rank=0
fi

if ! mkdir -p -- "$tao_results"; then
  tao_say "the results directory $tao_results cannot be made; mount a volume there, or choose another"
  exit 73
fi
if [ -n "$tao_named" ]; then tao_claim_results; fi
if [ -n "$tao_spec" ]; then
  tao_put_spec "$tao_config"
  if [ "$tao_nodes" -gt 1 ]; then tao_own_spec; fi
fi

if [ -n "$tao_runner" ] && ! command -v python3 >/dev/null 2>&1; then
  tao_say "ERROR: the image has no python3, which brings inputs and takes results to S3; add it, or use a volume"
  exit 69
fi
if [ -n "$tao_downloads" ]; then
  tao_start python3 -c "$tao_runner" download "$tao_downloads"
  tao_wait "$tao_pid"
  tao_pid=''
  [ -z "$tao_stopped" ] || exit "$tao_rc"
  if [ "$tao_rc" != 0 ]; then
    tao_say "ERROR: the inputs are not complete; the command was not started"
    exit 66
  fi
fi
if [ -n "$tao_resume" ]; then
  tao_start python3 -c "$tao_runner" resume "$tao_resume"
  tao_wait "$tao_pid"
  tao_pid=''
  [ -z "$tao_stopped" ] || exit "$tao_rc"
  if [ "$tao_rc" != 0 ]; then
    tao_say "ERROR: whether S3 has a checkpoint of this job is not known; the command was not started"
    exit 66
  fi
fi
tao_absent=$(printf '%s\n' "$tao_needed" | while IFS= read -r tao_line; do
  [ -z "$tao_line" ] || [ -e "$tao_line" ] || printf ' %s' "$tao_line"
done)
if [ -n "$tao_absent" ]; then
  tao_say "ERROR: not visible in the container, so the command was not started:$tao_absent"
  exit 66
fi

if [ -n "$tao_code" ]; then
  TAO_CODE_DIR=${TMPDIR:-/tmp}/tao-code/$tao_code_id
  tao_start python3 -c "$tao_runner" code "$tao_code" "$TAO_CODE_DIR"
  tao_wait "$tao_pid"
  tao_pid=''
  [ -z "$tao_stopped" ] || exit "$tao_rc"
  if [ "$tao_rc" != 0 ] || ! cd -- "$TAO_CODE_DIR"; then
    tao_say "ERROR: the code of the job is not here; the command was not started"
    exit 66
  fi
  export TAO_CODE_DIR PYTHONDONTWRITEBYTECODE="${PYTHONDONTWRITEBYTECODE-1}"
fi

tao_shell=sh
if command -v bash >/dev/null 2>&1; then tao_shell=bash; fi
if [ "$tao_rank" = 0 ]; then tao_remember; fi
tao_watch_gpus
tao_start "$tao_shell" -c "$tao_command"
tao_command_pid=$tao_pid
if [ "$tao_rank" = 0 ]; then
  tao_follow "$tao_command_pid" </dev/null &
  tao_relay=$!
fi
tao_upload=''
if [ -n "$tao_uploads" ] && [ "$tao_rank" = 0 ]; then
  python3 -c "$tao_runner" upload "$tao_uploads" "$tao_command_pid" </dev/null &
  tao_upload=$!
fi
tao_wait "$tao_command_pid"
tao_outlast "$tao_command_pid"
tao_command_rc=$tao_rc
tao_pid=''
trap '' TERM INT HUP
if [ -n "$tao_relay" ]; then tao_wait "$tao_relay" 2>/dev/null; fi
if [ -n "$tao_upload" ]; then
  tao_wait "$tao_upload" 2>/dev/null
  if [ "$tao_rc" != 0 ]; then
    tao_say "ERROR: the results were not uploaded; the command ended with $tao_command_rc"
    if [ "$tao_command_rc" = 0 ] && [ -z "$tao_kept" ]; then tao_command_rc=74; fi
  fi
elif [ -z "$tao_kept$tao_uploads" ]; then
  tao_say "WARNING: the results in $tao_results are lost with this container; give the target S3 settings or a volume"
fi
exit "$tao_command_rc"
