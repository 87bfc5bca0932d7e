# The first process of ours in a job's container; bash. usage: bash inside.sh attempt-directory relay gpus check command-file
# relay: 1 where this process alone gets the signals that end the container, 0 where each process of the job gets them.
# gpus, check: how many GPUs must be there, and the text of sh that looks; 0 for no look.
# Reads the job's secrets from the pipe attempt-directory/secrets, where there is one. Exit codes: 71 no such GPUs, 97 no secrets came,
# else that of the command, which is noted in attempt-directory/inside.exit.
tao_attempt=$1 tao_relay=$2 tao_gpus=$3 tao_check=$4 tao_command=$5
tao_job=${tao_attempt%/*}
# Straight to the job's log: what the engine keeps of an output ends with the engine.
exec >>"$tao_job/main.out" 2>>"$tao_job/main.err"
: >"$tao_attempt/inside"

# Up to the line "# complete attempt-directory"; who starts the container writes them as soon as it runs. All names are ours, because
# what is read here sets variables too.
secrets() {
  [ -p "$tao_attempt/secrets" ] || return 0
  exec 3<>"$tao_attempt/secrets" || return 1
  while IFS= read -r -t 120 tao_line <&3; do
    if [ "$tao_line" = "# complete $tao_attempt" ]; then
      exec 3<&-
      return
    fi
    tao_text+=$tao_line$'\n'
  done
  return 1
}

# The command is not started; the reason is reported as that of the job.
refuse() {
  printf '%s\n' "$2" >&2
  echo "$(printf '%s' "${2#tao: }" | tr '\n' ' ')" >"$tao_attempt/launch"
  exit "$1"
}

# Process 1 hands its signal to every process of the container; another one, below an entry point of the image, to its group.
tao_ended=
end() {
  [ -z "$tao_ended" ] && [ "$tao_relay" = 1 ] || return 0
  tao_ended=1
  if [ $$ = 1 ]; then kill -s TERM -- -1; else kill -s TERM 0; fi
}
trap end TERM

# Whether anything else still runs that was asked to end: a shell ends at once, and what it started may be writing its checkpoint.
others() {
  if [ $$ = 1 ]; then kill -s 0 -- -1 2>/dev/null; return; fi
  local tao_stat tao_words tao_group
  read -r tao_stat <"/proc/$$/stat"
  read -r -a tao_words <<<"${tao_stat##*) }"
  tao_group=${tao_words[2]}
  for tao_p in /proc/[0-9]*; do
    [ "$tao_p" != "/proc/$$" ] && read -r tao_stat 2>/dev/null <"$tao_p/stat" || continue
    read -r -a tao_words <<<"${tao_stat##*) }"
    [ "${tao_words[2]}" != "$tao_group" ] || [ "${tao_words[0]}" = Z ] || return 0
  done
  return 1
}

secrets || refuse 97 'tao: the secrets of the job did not arrive in its container'
eval "$tao_text"
unset tao_text tao_line
if [ "$tao_gpus" != 0 ]; then
  tao_found=$(sh -c "$tao_check" sh "$tao_gpus" 2>&1) || refuse 71 "$tao_found"
fi
[ -z "$tao_ended" ] || exit 143
bash "$tao_command" &
tao_child=$!
# An entry point that is process 1 itself hands no signal on: what is asked of the job is then read from its files.
if [ "$tao_relay" = 1 ] && [ $$ != 1 ]; then
  while sleep 1; do
    if [ -e "$tao_attempt/cancel" ] || [ -e "$tao_attempt/time-limit" ]; then
      kill -s TERM $$
      break
    fi
  done &
  tao_watch=$!
fi
while :; do
  wait "$tao_child"
  tao_code=$?
  kill -0 "$tao_child" 2>/dev/null || break
done
[ -z "$tao_watch" ] || kill "$tao_watch" 2>/dev/null
# The engine ends this wait with the grace.
if [ "$tao_relay" = 1 ] && [ -n "$tao_ended" ]; then
  while others; do sleep 0.1; done
fi
echo "$tao_code" >"$tao_attempt/inside.part" && mv -f "$tao_attempt/inside.part" "$tao_attempt/inside.exit"
exit "$tao_code"
