# The stages of one attempt, sourced by wrapper.sh: prepare, wait for a place, run. POSIX sh.
tao_home=$HOME # before the job's own variables are read

tao_say() { echo "tao: $*" >&2; }

# What this attempt is at: one word, and why.
tao_stage() { echo "$*" >"$tao_attempt/stage.part" && mv -f "$tao_attempt/stage.part" "$tao_attempt/stage"; }

# A window for people. The job does not hang on it: tmux may be killed, or missing.
tao_tmux() {
  [ "$tao_detach" = tmux ] || return 0
  if ! command -v tmux >/dev/null 2>&1; then
    [ "$1" = end ] || tao_say "tmux is not installed; the job runs detached all the same"
  elif [ "$1" = begin ]; then
    env -u TAO_RUN tmux new-session -d -s "tao-$tao_key" -c "$tao_results" \
      "tail -n +1 -F '$tao_job/main.out' '$tao_job/main.err'" 2>/dev/null || tao_say "tmux did not start a session"
  else
    env -u TAO_RUN tmux kill-session -t "=tao-$tao_key" 2>/dev/null
  fi
}

# An address without what may be a key to it: the name before the host, and the query.
tao_shown() { printf '%s\n' "$1" | sed 's|[?#].*||; s|//[^/]*@|//|'; }

# Fetches $1 to $2 on this box. What stands still is broken off and taken up where it stood; 20 times without a byte is the end.
tao_download() {
  [ ! -e "$2" ] || return 0
  mkdir -p -- "${2%/*}" || return 1
  case $1 in
    s3://*) aws s3 cp --only-show-errors "$1" "$2.part" && mv -f -- "$2.part" "$2"; return ;;
    hf://*) hf download "${1#hf://}" --local-dir "$2.part" >/dev/null && mv -- "$2.part" "$2"; return ;;
  esac
  tao_tries=0 tao_had=$(wc -c 2>/dev/null <"$2.part" || echo 0)
  while [ "$tao_tries" -lt 20 ]; do
    if command -v curl >/dev/null 2>&1; then
      curl -fsSL -C - --connect-timeout 15 --speed-limit 1 --speed-time "$tao_still" -o "$2.part" "$1"
    else
      wget -q -c -t 1 -T "$tao_still" -O "$2.part" "$1"
    fi && { mv -f -- "$2.part" "$2"; return 0; }
    tao_has=$(wc -c 2>/dev/null <"$2.part" || echo 0)
    if [ "$tao_has" -gt "$tao_had" ]; then tao_tries=0; else tao_tries=$((tao_tries + 1)); fi
    tao_had=$tao_has
    tao_say "the download of $(tao_shown "$1") stood still or broke off at $((tao_has)) bytes; going on from there"
    sleep 1
  done
  return 1
}

# An environment of pinned packages, made once for each list of them.
tao_venv() {
  tao_venv=$tao_base/envs/$(cksum <"$tao_job/packages" | tr ' ' -)
  mkdir -p "$tao_base/envs"
  (
    flock 9 || exit 1
    [ -e "$tao_venv/.complete" ] && exit 0
    rm -rf -- "$tao_venv"
    tao_say "making the environment $tao_venv"
    python3 -m venv --system-site-packages "$tao_venv" && "$tao_venv/bin/python" -m pip install -q -r "$tao_job/packages" &&
      : >"$tao_venv/.complete"
  ) 9>"$tao_base/envs/lock" || return 1
  PATH=$tao_venv/bin:$PATH VIRTUAL_ENV=$tao_venv
  export PATH VIRTUAL_ENV
}

# An image is on this box before a GPU is taken and before the time limit runs. Apptainer keeps what it has converted.
tao_pull() {
  HOME=$tao_home
  case $tao_tool in
    apptainer) set -- apptainer exec "$tao_image" true ;;
    *) ! env -u TAO_RUN "$tao_tool" image inspect "$tao_image" >/dev/null 2>&1 || return 0
      set -- env -u TAO_RUN "$tao_tool" pull "$tao_image" ;;
  esac
  tao_stage "PREPARING pulls $tao_image"
  "$@" >/dev/null 2>"$tao_attempt/engine.err" || {
    cat "$tao_attempt/engine.err" >&2
    return 1
  }
  tao_stage PREPARING
}

tao_fail() { tao_say "$2"; exit "$1"; }

# As tao_fail, where the command was never started: the words are reported as the reason.
tao_refuse() { echo "$(printf '%s' "$2" | tr '\n' ' ')" >"$tao_attempt/launch"; tao_fail "$1" "$2"; }

# What the engine wrote last to its error output, after ": ".
tao_engine_words() {
  tao_said=$(cat "$tao_attempt/engine.err" 2>/dev/null)
  tao_said=$(tao_words)
  echo "${tao_said:+: $tao_said}"
}

# All that needs no GPU comes before a GPU is taken.
tao_prepare() {
  tao_stage PREPARING
  [ -z "$tao_scratch" ] || mkdir -p -- "$tao_scratch" || tao_refuse 73 "the scratch directory $tao_scratch cannot be made"
  [ -z "$tao_hook" ] || eval "$tao_hook" || tao_refuse 73 "the proxy hook of this target failed"
  if [ -n "$tao_credentials" ]; then
    [ -r "$tao_credentials" ] || tao_refuse 78 "the credential file $tao_credentials cannot be read"
    set -a
    . "$tao_credentials"
    set +a
  fi
  [ ! -s "$tao_job/packages" ] || tao_venv || tao_refuse 73 "the environment could not be made"
  if [ -f "$tao_job/downloads" ]; then
    while read -r tao_url tao_file; do
      tao_download "$tao_url" "$tao_file" </dev/null || tao_refuse 73 "$(tao_shown "$tao_url") could not be downloaded"
    done <"$tao_job/downloads"
  fi
  if [ -f "$tao_job/smoke" ]; then
    (cd "$tao_work" && CUDA_VISIBLE_DEVICES= exec bash "$tao_job/smoke") ||
      tao_fail 72 "the smoke command failed with exit code $?; nothing was started"
  fi
  [ -z "$tao_tool" ] || (tao_pull) || tao_refuse 125 "$tao_tool could not fetch the image $tao_image$(tao_engine_words)"
}

# One try under the lock: "got 0,1", or "wait" and why. Tickets are served in their order; claims and tickets of the dead are void.
tao_try() {
  tao_queue=$tao_base/gpus/queue tao_held=$tao_base/gpus/held
  mkdir -p "$tao_queue" "$tao_held"
  if [ ! -e "$tao_attempt/ticket" ]; then
    tao_seq=$(($(cat "$tao_base/gpus/seq" 2>/dev/null || echo 0) + 1))
    echo "$tao_seq" >"$tao_base/gpus/seq"
    echo "$tao_queue/$(printf %09d "$tao_seq")" >"$tao_attempt/ticket"
    echo "$tao_attempt" >"$(cat "$tao_attempt/ticket")"
  fi
  tao_ahead=0
  for tao_file in "$tao_queue"/*; do
    read -r tao_owner 2>/dev/null <"$tao_file" || continue
    [ "$tao_owner" != "$tao_attempt" ] || break
    if tao_live "$tao_owner"; then tao_ahead=$((tao_ahead + 1)); else rm -f -- "$tao_file"; fi
  done
  tao_slots=0 tao_claims=
  for tao_file in "$tao_held"/*; do
    read -r tao_owner 2>/dev/null <"$tao_file" || continue
    if ! tao_live "$tao_owner"; then rm -f -- "$tao_file"; continue; fi
    tao_owner=${tao_owner%/*}
    case $tao_file in
      */slot-*) tao_slots=$((tao_slots + 1)) ;;
      *) tao_claims="${tao_claims}held ${tao_file##*/gpu-} ${tao_owner##*/}
" ;;
    esac
  done
  if [ "$tao_ahead" -gt 0 ]; then echo "wait $tao_ahead jobs are ahead"; return; fi
  if [ "$tao_most" -gt 0 ] && [ "$tao_slots" -ge "$tao_most" ]; then echo "wait $tao_slots jobs run, as many as may"; return; fi
  tao_got=
  if [ "$tao_wanted" -gt 0 ]; then
    tao_seen=$({ printf %s "$tao_claims"; tao_gpus; } | tao_free)
    tao_got=$(printf '%s\n' "$tao_seen" | awk -v n="$tao_wanted" '$1 == "free" && k < n { s = s (k++ ? "," : "") $2 } END { if (k == n) print s }')
    if [ -z "$tao_got" ]; then
      echo "wait for $tao_wanted free GPU$([ "$tao_wanted" = 1 ] || echo s); $(printf '%s\n' "$tao_seen" | sed -n 's/^busy \([0-9]*\)/GPU \1:/p' | paste -s -d ';' - | sed 's/;/; /g')"
      return
    fi
  fi
  for tao_gpu in $(echo "$tao_got" | tr , ' '); do echo "$tao_attempt" >"$tao_held/gpu-$tao_gpu"; done
  [ "$tao_most" = 0 ] || echo "$tao_attempt" >"$tao_held/slot-$tao_key"
  rm -f -- "$(cat "$tao_attempt/ticket")"
  echo "$tao_got" >"$tao_attempt/gpus"
  echo "got $tao_got"
}

# Waits for GPUs and for a place among the jobs of this box. A job that asks for none sees none: others may hold them.
tao_acquire() {
  export CUDA_VISIBLE_DEVICES= CUDA_DEVICE_ORDER=PCI_BUS_ID
  [ "$tao_wanted" -gt 0 ] || [ "$tao_most" -gt 0 ] || return 0
  mkdir -p "$tao_base/gpus"
  while :; do
    tao_answer=$( (flock 9 && tao_try) 9>"$tao_base/gpus/lock") ||
      tao_refuse 73 "the queue of this box cannot be locked; flock is needed"
    case $tao_answer in got*) break ;; esac
    [ "$tao_answer" = "$tao_before" ] || tao_stage "QUEUED ${tao_answer#wait }"
    tao_before=$tao_answer
    sleep "$tao_pause"
  done
  tao_ids=${tao_answer#got}
  tao_ids=${tao_ids# }
  CUDA_VISIBLE_DEVICES=$tao_ids
}

tao_release() {
  [ ! -e "$tao_attempt/ticket" ] || rm -f -- "$(cat "$tao_attempt/ticket")"
  for tao_file in "$tao_base"/gpus/held/*; do
    if read -r tao_owner 2>/dev/null <"$tao_file" && [ "$tao_owner" = "$tao_attempt" ]; then rm -f -- "$tao_file"; fi
  done
}

# Whether attempt $1 has not ended; in a process of its own, for a look sets the variables of that attempt.
tao_uses() { [ -n "$1" ] && [ ! -e "$1/exit" ] && (tao_live "$1"); }

# A results directory belongs to one job at a time: another that has not ended would mix its files and its status.json with ours.
# The claims of this base lie in $tao_base/claims, one file for each directory, with the attempt that has it.
tao_claim() {
  tao_owned=$(cd -P -- "$tao_results" && pwd) || tao_refuse 73 "the results directory $tao_results cannot be entered"
  mkdir -p "$tao_base/claims"
  tao_claimed=$tao_base/claims/$(printf %s "$tao_owned" | cksum | tr ' ' -)
  tao_there=
  tao_owner=$( (
    flock 9 || exit 1
    tao_owner=
    read -r tao_owner 2>/dev/null <"$tao_claimed"
    if [ "${tao_owner%/*}" != "$tao_job" ] && tao_uses "$tao_owner"; then
      echo "${tao_owner%/*}"
    else
      echo "$tao_attempt" >"$tao_claimed.part" && mv -f "$tao_claimed.part" "$tao_claimed"
    fi
  ) 9>"$tao_base/claims/lock") || tao_refuse 73 "the claims below $tao_base/claims cannot be locked; flock is needed"
  [ -n "$tao_owner" ] || tao_mark
  [ -z "$tao_owner" ] || tao_refuse 79 "the results directory $tao_results is in use by job ${tao_owner##*/}, which has not ended: give each job its own directory${tao_there:+ (if that job is gone, remove $tao_marker)}"
}

# The claim of jobs of other base directories, and of other machines that share the file system: a file in the results directory
# names the attempt that uses it, and its machine. Making a hard link decides. An attempt of this machine that has ended, or whose
# job is gone, has no claim; of another machine only its own files tell, where they can be seen from here.
tao_mark() {
  tao_marker=$tao_owned/.tao-run-owner tao_tries=0
  tao_here=$(uname -n)
  printf '%s %s\n' "$tao_here" "$tao_attempt" >"$tao_marker.$$" || tao_refuse 73 "nothing can be written to the results directory $tao_results"
  until ln "$tao_marker.$$" "$tao_marker" 2>/dev/null; do
    tao_tries=$((tao_tries + 1)) tao_there= tao_other=
    read -r tao_there tao_other 2>/dev/null <"$tao_marker"
    if [ "${tao_other%/*}" = "$tao_job" ] && [ "$tao_there" = "$tao_here" ]; then
      mv -f -- "$tao_marker.$$" "$tao_marker"
    elif [ "$tao_there" = "$tao_here" ] && tao_uses "$tao_other"; then
      tao_owner=${tao_other%/*}
    elif [ -n "$tao_other" ] && [ "$tao_there" != "$tao_here" ] && [ ! -e "$tao_other/exit" ]; then
      tao_owner="${tao_other%/*} on $tao_there"
    elif [ "$tao_tries" -lt 5 ]; then
      # Another may have put its own in the place of the dead one meanwhile.
      mv -f -- "$tao_marker" "$tao_marker.$$.old" 2>/dev/null || continue
      read -r tao_there tao_again 2>/dev/null <"$tao_marker.$$.old"
      [ "$tao_again" = "$tao_other" ] || ln "$tao_marker.$$.old" "$tao_marker" 2>/dev/null
      rm -f -- "$tao_marker.$$.old"
      continue
    elif [ ! -e "$tao_marker" ]; then
      mv -f -- "$tao_marker.$$" "$tao_marker" # a file system without hard links
    else
      tao_owner="another job, which cannot be read from $tao_marker"
    fi
    break
  done
  rm -f -- "$tao_marker.$$"
}

# The end of the claim.
tao_unmark() {
  tao_marker=$tao_results/.tao-run-owner
  read -r tao_there tao_other 2>/dev/null <"$tao_marker" || return 0
  [ "$tao_there $tao_other" != "$(uname -n) $tao_attempt" ] || rm -f -- "$tao_marker"
}

# In the runtime of the job itself: as many GPUs, or slices (MIG) of them, as asked for, and a framework that can use them. nvidia-smi knows nothing of
# CUDA_VISIBLE_DEVICES: outside a container it counts those of the box, and the framework those of the job.
tao_check='tao_found=$(nvidia-smi -L 2>/dev/null | { n=0; g=0; while read -r k l; do case $k in (GPU) g=1; n=$((n+1));; (MIG) n=$((n+1-g)); g=0;; esac; done; echo "$n"; })
[ "$tao_found" -ge "$1" ] || { echo "tao: $1 GPUs are asked for, nvidia-smi shows $tao_found" >&2; exit 71; }
tao_torch=$(python3 -c "import torch; print(torch.cuda.is_available(), torch.cuda.device_count())" 2>/dev/null)
case $tao_torch in
  False*) echo "tao: torch.cuda.is_available() is False: the framework cannot use the GPU" >&2; exit 71 ;;
  "True "*[!0-9]*) ;;
  "True "*) [ "${tao_torch#True }" -ge "$1" ] || { echo "tao: $1 GPUs are asked for, torch sees ${tao_torch#True }" >&2; exit 71; } ;;
esac'

# What this box tells of the GPUs of the job: beside the job and no part of it, without its mark and its secrets.
tao_watch_gpus() {
  [ "$tao_wanted" != 0 ] || return 0
  (exec env -i PATH="$PATH" LD_LIBRARY_PATH="${LD_LIBRARY_PATH-}" sh "$tao_job/gpus.sh" "$$" "$tao_ids" "$tao_sample" \
    </dev/null >>"$tao_attempt/machine" 2>/dev/null &)
}

# Which image it is, whatever its tag names later.
tao_tell_image() {
  env -u TAO_RUN timeout 20 "$tao_tool" image inspect -f '{{range .RepoDigests}}{{.}} {{end}}' "$tao_image" 2>/dev/null |
    sed -n 's/^[^ ]*@\(sha256:[0-9a-f]\{64\}\).*/image \1/p' >>"$tao_attempt/machine"
}

tao_run() {
  tao_ports_dir=
  . "$tao_job/rendezvous.sh"
  tao_rendezvous $$
  tao_stage RUNNING
  # Never seen empty: a job that is ended at this moment would have an end without a start.
  date +%s >"$tao_attempt/started.$$" && mv -f "$tao_attempt/started.$$" "$tao_attempt/started"
  tao_watch_gpus
  [ "$tao_wall" = 0 ] || (trap - TERM; tao_sleep "$tao_wall"; : >"$tao_attempt/time-limit"; kill -TERM 0) &
  if [ -n "$tao_tool" ]; then
    tao_in_container
  else
    unset tao_secrets
    cd "$tao_work" || tao_refuse 73 "the directory $tao_work cannot be entered"
    if [ "$tao_wanted" != 0 ] && [ -n "$tao_verify" ]; then
      tao_found=$(sh -c "$tao_check" sh "$tao_wanted" 2>&1) || tao_refuse 71 "${tao_found#tao: }"
    fi
    exec bash "$tao_job/command"
  fi
}

# The container belongs to its engine; here its end is awaited, whatever signals come, and whatever becomes of the engine.
tao_in_container() {
  trap : TERM
  . "$tao_job/container.sh"
  if [ "$tao_tool" = apptainer ]; then
    trap - TERM
    unset tao_secrets
    tao_container_run
    exit
  fi
  # The client finds its logins, and podman its containers, in the home of its user; the job has another.
  tao_home_inside=/tmp
  [ "$HOME" = "$tao_home" ] || tao_home_inside=$HOME
  HOME=$tao_home
  tao_limit
  tao_tell_image
  rm -f "$tao_attempt/secrets"
  mkfifo -m 600 "$tao_attempt/secrets" || tao_refuse 73 "no pipe for the secrets can be made in $tao_attempt"
  # As one text before the engine's clients run: their environment has none of it.
  tao_feed=$tao_secrets
  [ -z "$tao_credentials" ] || tao_feed="$tao_feed
set -a
$(cat "$tao_credentials")
set +a"
  unset tao_secrets
  tao_container_forget
  rm -f "$tao_attempt/cid"
  # Noted before it is started: what is found later by this name is ours.
  echo "$tao_tool $tao_name" >"$tao_attempt/container"
  printf '%s\n# complete %s\n' "$tao_feed" "$tao_attempt" >"$tao_attempt/secrets" &
  tao_feeder=$!
  unset tao_feed
  if tao_container_run >/dev/null 2>"$tao_attempt/engine.err"; then
    cat "$tao_attempt/engine.err" >&2
  else
    tao_not_started
  fi
  # A cancel that came before there was a container to stop.
  if [ -e "$tao_attempt/cancel" ] || [ -e "$tao_attempt/time-limit" ]; then (trap '' TERM; tao_halt) & fi
  (exec env -u TAO_RUN setsid "$tao_tool" logs -f "$tao_name") &
  tao_logs=$!
  tao_await
}

# Without the mark of the job, which processes that the engine keeps for all containers would carry on, and out of our process group,
# whose signals are not meant for its client.
tao_engine() { env -u TAO_RUN setsid "$tao_tool" "$@"; }

# Where the job's user has no power over limits, podman has none either: then it hands on what this shell has at most.
tao_limit() {
  tao_limits='--ulimit memlock=-1 --ulimit stack=67108864' tao_ids_inside="$(id -u):$(id -g)"
  if [ "$tao_tool" = podman ]; then
    tao_limits=
    if (ulimit -l unlimited) 2>/dev/null; then tao_limits='--ulimit memlock=-1'; else ulimit -S -l "$(ulimit -H -l)" 2>/dev/null; fi
    if (ulimit -s 65536) 2>/dev/null; then tao_limits="$tao_limits --ulimit stack=67108864"; else ulimit -S -s "$(ulimit -H -s)" 2>/dev/null; fi
  else
    # a rootless daemon is this user, and calls it root within
    case $(timeout 20 docker info --format '{{.SecurityOptions}}' 2>/dev/null) in *name=rootless*) tao_limits= tao_ids_inside=0:0 ;; esac
  fi
}

# A start that failed: the end of the job, unless the container runs all the same.
tao_not_started() {
  cat "$tao_attempt/engine.err" >&2
  tao_words_then=$(tao_engine_words)
  while [ -s "$tao_attempt/cid" ]; do
    tao_box=$(tao_container "$tao_attempt")
    case $?$tao_box in
      0created* | 0configured* | 0initialized* | 1*) break ;;
      2*) tao_stage "AWAY $tao_tool: $tao_box"; sleep "$tao_pause" ;;
      *) tao_stage RUNNING; return ;;
    esac
  done
  kill "$tao_feeder" 2>/dev/null
  tao_refuse 125 "$tao_tool did not start the container$tao_words_then"
}

# Asks the engine to stop the container until it has.
tao_halt() {
  while :; do
    tao_engine stop -t "$tao_grace" "$tao_name" >/dev/null 2>&1
    tao_box=$(tao_container "$tao_attempt")
    case $?$tao_box in 0running* | 0paused* | 0stopping* | 2*) tao_sleep 1 ;; *) return ;; esac
  done
}

# Ends as the container has ended. The command's own exit code outranks the engine's, which may have been away at that moment.
tao_await() {
  while :; do
    tao_box=$(tao_container "$tao_attempt")
    tao_answer=$?
    case $tao_answer$tao_box in
      0running* | 0paused* | 0created* | 0restarting* | 0stopping*)
        [ -z "$tao_away" ] || tao_stage RUNNING
        tao_away=
        (exec env -u TAO_RUN setsid "$tao_tool" wait "$tao_name" >/dev/null 2>&1) &
        tao_waiter=$!
        while kill -0 "$tao_waiter" 2>/dev/null; do wait "$tao_waiter"; done
        [ -e "$tao_attempt/inside.exit" ] || sleep 0.3 ;;
      2*)
        [ ! -s "$tao_attempt/inside.exit" ] || break
        tao_away=1
        tao_stage "AWAY $tao_tool: $tao_box"
        sleep "$tao_pause" ;;
      *) break ;;
    esac
  done
  tao_n=0
  while kill -0 "$tao_logs" 2>/dev/null && [ "$tao_n" -lt 20 ]; do tao_n=$((tao_n + 1)); sleep 0.1; done
  kill "$tao_logs" "$tao_feeder" 2>/dev/null
  rm -f "$tao_attempt/secrets"
  if [ -s "$tao_attempt/inside.exit" ]; then exit "$(cat "$tao_attempt/inside.exit")"; fi
  if [ "$tao_answer" = 1 ]; then tao_fail 137 "$tao_tool no longer knows the container $tao_name: it was removed"; fi
  set -- $tao_box
  [ -e "$tao_attempt/inside" ] || [ -e "$tao_attempt/cancel" ] || tao_not_begun "$2"
  exit "$2"
}

# The container ended before our part in it began: its own entry point, or an image without bash.
tao_not_begun() {
  tao_engine logs "$tao_name" >"$tao_attempt/engine.err" 2>&1
  tao_refuse "$1" "the container ended with exit code $1 before the command was started$(tao_engine_words)"
}

# Removes the job's scratch directory; best checkpoints and small JSON files in it are kept with the results. What cannot be kept
# keeps the directory.
tao_clean() {
  [ -n "$tao_scratch" ] && [ -n "$tao_clean_up" ] && [ -d "$tao_scratch" ] || return 0
  (
    cd "$tao_scratch" || exit 1
    find . -type f \( -name '*best*' -o -name '*.json' -size -2048 \) | while read -r tao_file; do
      tao_kept=$tao_results/scratch/${tao_file#./}
      mkdir -p -- "${tao_kept%/*}" && cp -p -- "$tao_file" "$tao_kept" || exit 1
    done
  ) || { tao_say "the scratch directory $tao_scratch stays: what is to be kept of it could not be copied"; return 0; }
  rm -rf -- "$tao_scratch"
}
