# One look at attempt $2 under the number $1; starts processes only for one that is gone without a record.
tao_poll() {
  [ -d "$2" ] || return 0
  tao_state=gone tao_code=- tao_end=- tao_begun=- tao_flags= tao_now=-
  if tao_alive "$2"; then tao_state=alive; elif [ -z "$tao_pid" ]; then tao_state=staged; fi
  [ ! -f "$2/exit" ] || read -r tao_code tao_begun tao_end <"$2/exit"
  [ "$tao_begun" != - ] || [ ! -f "$2/started" ] || read -r tao_begun <"$2/started"
  if [ "$tao_state$tao_code" = gone- ] && [ "$tao_was" = "$tao_boot" ]; then
    if [ -n "$(tao_members "$2")" ]; then tao_state=orphan; else
      tao_box=$(tao_container "$2")
      case $?$tao_box in
        0running* | 0paused* | 0stopping*) tao_state=orphan ;;
        2*) tao_state=away ;;
        0exited* | 0stopped*)
          set -- "$1" "$2" $tao_box
          tao_code=$4 tao_end=$(date +%s)
          [ ! -s "$2/inside.exit" ] || read -r tao_code <"$2/inside.exit"
          [ "$tao_code" -lt 128 ] || tao_death "$2" >/dev/null
          echo "$tao_code $tao_begun $tao_end" >"$2/exit.$$" && mv -f "$2/exit.$$" "$2/exit" ;;
      esac
    fi
  fi
  [ ! -e "$2/cancel" ] || tao_flags=$tao_flags,cancel
  [ ! -e "$2/time-limit" ] || tao_flags=$tao_flags,time-limit
  [ ! -f "$2/stage" ] || read -r tao_now <"$2/stage"
  [ "$tao_state" != away ] || tao_now="AWAY $tao_tool: $tao_box"
  tao_ids=
  [ ! -f "$2/gpus" ] || read -r tao_ids <"$2/gpus"
  echo "job $1 $tao_state ${tao_since:--} ${tao_begun:--} ${tao_code:--} ${tao_end:--} ${tao_flags:--} ${tao_ids:--} $tao_now"
  if [ "$tao_state$tao_code" = gone- ] || [ -f "$2/death" ]; then tao_death "$2" | sed "s/^/fact $1 /"; fi
  [ ! -s "$2/cancel" ] || sed "s/^/fact $1 asked /" "$2/cancel"
  [ ! -f "$2/launch" ] || sed "s/^/fact $1 launch /" "$2/launch"
  [ ! -f "$2/left" ] || sed "s/^/fact $1 left /" "$2/left"
}

# The directory $1, or the first one above it that is there.
tao_near() {
  tao_n=$1
  while [ ! -e "$tao_n" ]; do tao_n=${tao_n%/*} tao_n=${tao_n:-/}; done
  echo "$tao_n"
}

# "room KiB inodes" that are free below directory $1, or below the nearest one there is.
tao_room() {
  tao_d=$(tao_near "$1")
  echo "room $(df -Pk -- "$tao_d" 2>/dev/null | awk 'NR == 2 { print $4 }') $(df -Pi -- "$tao_d" 2>/dev/null | awk 'NR == 2 { print $4 }')"
}
