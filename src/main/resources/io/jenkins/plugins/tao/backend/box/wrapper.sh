#!/bin/sh
# Runs one attempt of a job and tells how it ended; POSIX sh. usage: wrapper.sh attempt-directory
# Standard input: lines that export the secrets, the last one "# complete". They are kept in memory alone.
tao_attempt=$1
tao_job=${tao_attempt%/*}
tao_secrets=$(cat)
exec </dev/null
case $tao_secrets in *'# complete') ;; *) exit 97 ;; esac
. "$tao_job/box.sh"
. "$tao_job/settings"
. "$tao_job/stages.sh"

tao_identity() {
  read -r tao_stat <"/proc/$$/stat" || return 1
  set -f
  set -- ${tao_stat##*) }
  set +f
  echo "$$ ${20} $tao_boot $(date +%s)"
}

# The hard link is the claim: of several wrappers for one attempt exactly one makes it, with its identity in it.
tao_umask=$(umask)
umask 077
tao_identity >"$tao_attempt/process.$$" || exit 1
ln "$tao_attempt/process.$$" "$tao_attempt/process" 2>/dev/null || { rm -f "$tao_attempt/process.$$"; exit 0; }
rm -f "$tao_attempt/process.$$"

# The gate: nothing runs before the controller knows of this process. Who makes the directory decides.
tao_n=0
while [ ! -e "$tao_attempt/gate/open" ]; do
  tao_n=$((tao_n + 1))
  if [ "$tao_n" -gt "$tao_gate" ] && mkdir "$tao_attempt/gate" 2>/dev/null; then
    rm -f "$tao_attempt/process"
    rmdir "$tao_attempt/gate"
    exit 125
  fi
  [ -d "$tao_attempt" ] || exit 125 # the job was removed
  sleep 0.05
done
echo "$(tao_oom_kills) $(tao_uptime)" | sed 's/^ /- /' >"$tao_attempt/begin"
umask "$tao_umask"

tao_note() { [ -e "$tao_attempt/cancel" ] || [ -e "$tao_attempt/time-limit" ] || echo "$1 $(date +%s)" >>"$tao_attempt/signal"; }

# The first TERM begins the end: what has left our process group gets it too, and what is still there after the grace is killed. A
# container is stopped by its engine, as often as that takes: it goes on while its engine does not answer.
tao_ending= tao_timer=
tao_stop() {
  [ -z "$tao_ending" ] || return 0
  tao_ending=1
  tao_note TERM
  if [ -e "$tao_attempt/container" ]; then
    (trap '' TERM; tao_halt) &
  else
    for tao_p in $(tao_rest "$tao_attempt"); do
      case $(sed 's/.*) //' 2>/dev/null <"/proc/$tao_p/stat") in "? "*" $$ "*) ;; *) kill -s TERM "$tao_p" 2>/dev/null ;; esac
    done
    (trap '' TERM; tao_sleep "$tao_grace"; kill -s USR1 $$) &
    tao_timer=$!
  fi
}

# After the grace: each process of the job but its wrapper.
tao_kill() {
  for tao_p in $(tao_members "$tao_attempt"); do
    [ "$tao_p" = $$ ] || kill -s KILL "$tao_p" 2>/dev/null
  done
}

# What the command left behind. An end that was asked for is the end of that too; after any other our group is asked to end, and
# what survives is reported.
tao_sweep() {
  trap '' TERM
  tao_n=0
  [ -n "$tao_ending" ] || kill -s TERM 0
  while tao_left=$(tao_rest "$tao_attempt") && [ -n "$tao_left" ]; do
    tao_n=$((tao_n + 1))
    if [ -z "$tao_ending" ]; then
      [ "$tao_n" -lt 20 ] || break
    elif [ "$tao_n" -gt $((tao_grace * 10)) ]; then
      kill -s KILL $tao_left 2>/dev/null
      [ "$tao_n" -lt $((tao_grace * 10 + 50)) ] || break
    fi
    tao_sleep 0.1
  done
  for tao_p in $tao_left; do echo "$tao_p $(cat "/proc/$tao_p/comm" 2>/dev/null)"; done >"$tao_attempt/left.part"
  [ ! -s "$tao_attempt/left.part" ] || mv -f "$tao_attempt/left.part" "$tao_attempt/left"
  rm -f "$tao_attempt/left.part"
}
trap tao_stop TERM
trap tao_kill USR1
trap 'tao_note HUP' HUP
trap 'tao_note INT' INT

tao_tmux begin
(
  trap - TERM INT HUP USR1
  [ ! -e "$tao_attempt/cancel" ] || exit 143
  . "$tao_job/env" && eval "$tao_secrets" && tao_prepare && tao_acquire && tao_claim && tao_run
) &
tao_payload=$!
unset tao_secrets

while :; do
  wait "$tao_payload"
  tao_code=$?
  kill -0 "$tao_payload" 2>/dev/null || break
done

umask 077
tao_sweep
# TAO's launcher takes an interruption for a pass: a command that ends with 0 after a TERM has not done its work.
[ -z "$tao_ending" ] || [ "$tao_code" != 0 ] || tao_code=143
trap : USR1
[ -z "$tao_timer" ] || kill -s KILL "$tao_timer" 2>/dev/null
[ "$tao_code" -lt 128 ] || tao_death "$tao_attempt" >/dev/null
[ "$tao_code" != 0 ] || tao_clean
tao_begun=$(cat "$tao_attempt/started" 2>/dev/null)
: "${tao_begun:=$(date +%s)}"
echo "$tao_code $tao_begun $(date +%s)" >"$tao_attempt/exit.tmp"
sync "$tao_attempt/exit.tmp" 2>/dev/null
mv -f "$tao_attempt/exit.tmp" "$tao_attempt/exit"
sync "$tao_attempt" 2>/dev/null
tao_unmark
tao_release
tao_tmux end
kill -TERM 0
