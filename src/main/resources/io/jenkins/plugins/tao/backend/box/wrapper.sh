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
  sleep 0.05
done
echo "$(tao_oom_kills) $(tao_uptime)" | sed 's/^ /- /' >"$tao_attempt/begin"
umask "$tao_umask"

tao_note() { [ -e "$tao_attempt/cancel" ] || [ -e "$tao_attempt/time-limit" ] || echo "$1 $(date +%s)" >>"$tao_attempt/signal"; }

tao_ending=
tao_stop() {
  [ -z "$tao_ending" ] || return 0
  tao_ending=1
  tao_note TERM
  if read -r tao_tool tao_name 2>/dev/null <"$tao_attempt/container"; then
    (trap '' TERM; "$tao_tool" stop -t "$tao_grace" "$tao_name" >/dev/null 2>&1; sleep 5; kill -KILL 0) &
  else
    (trap '' TERM; sleep "$tao_grace"; kill -KILL 0) &
  fi
}
trap tao_stop TERM
trap 'tao_note HUP' HUP
trap 'tao_note INT' INT

tao_tmux begin
(
  trap - TERM INT HUP
  [ ! -e "$tao_attempt/cancel" ] || exit 143
  . "$tao_job/env" && eval "$tao_secrets" && unset tao_secrets && tao_prepare && tao_acquire && tao_run
) &
tao_payload=$!
unset tao_secrets

while :; do
  wait "$tao_payload"
  tao_code=$?
  kill -0 "$tao_payload" 2>/dev/null || break
done

umask 077
[ "$tao_code" -lt 128 ] || tao_death "$tao_attempt" >/dev/null
[ "$tao_code" != 0 ] || tao_clean
tao_begun=$(cat "$tao_attempt/started" 2>/dev/null || date +%s)
echo "$tao_code $tao_begun $(date +%s)" >"$tao_attempt/exit.tmp"
sync "$tao_attempt/exit.tmp" 2>/dev/null
mv -f "$tao_attempt/exit.tmp" "$tao_attempt/exit"
sync "$tao_attempt" 2>/dev/null
tao_release
tao_tmux end
trap '' TERM
kill -TERM 0
