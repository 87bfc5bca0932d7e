#!/bin/sh
# Runs one attempt of a job and tells how it ended; POSIX sh.
# usage: wrapper.sh attempt-directory grace-seconds wall-seconds (0 for none)
# Standard input: lines that export the secrets, the last one "# complete". They are kept in memory alone.
attempt=$1 grace=$2 wall=$3
job=${attempt%/*}
secrets=$(cat)
exec </dev/null
case $secrets in *'# complete') ;; *) exit 97 ;; esac

identity() {
  read -r text <"/proc/$$/stat" || return 1
  set -f
  set -- ${text##*) }
  set +f
  read -r boot </proc/sys/kernel/random/boot_id || boot=unknown
  echo "$$ ${20} $boot $(date +%s)"
}

# The hard link is the claim: of several wrappers for one attempt exactly one makes it, with its identity in it.
umask_before=$(umask)
umask 077
identity >"$attempt/process.$$" || exit 1
ln "$attempt/process.$$" "$attempt/process" 2>/dev/null || { rm -f "$attempt/process.$$"; exit 0; }
rm -f "$attempt/process.$$"
read -r pid start boot started <"$attempt/process"
umask "$umask_before"

ending=
stop() {
  [ -z "$ending" ] || return 0
  ending=1
  (trap - TERM; sleep "$grace"; kill -KILL 0) &
}
trap stop TERM
trap : INT HUP

(
  trap - TERM INT HUP
  [ ! -e "$attempt/cancel" ] && . "$job/env" && eval "$secrets" && unset secrets && cd "$TAO_RESULTS_DIR" && exec bash "$job/command"
) &
payload=$!
unset secrets
[ "$wall" = 0 ] || (trap - TERM; sleep "$wall"; : >"$attempt/time-limit"; kill -TERM 0) &

while :; do
  wait "$payload"
  code=$?
  kill -0 "$payload" 2>/dev/null || break
done

umask 077
echo "$code $started $(date +%s)" >"$attempt/exit.tmp"
sync "$attempt/exit.tmp" 2>/dev/null
mv -f "$attempt/exit.tmp" "$attempt/exit"
trap '' TERM
kill -TERM 0
