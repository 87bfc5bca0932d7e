# Picks the TCP port on which the processes of one job meet. Defines tao_rendezvous SEED, which exports MASTER_PORT, and
# PET_MASTER_PORT for a torchrun without --master-port; values that are set already stay. The port is one that no socket of this
# machine uses and that no other live job of ours was given here. SEED: a number that jobs of one machine rarely share; where
# no note can be written it alone keeps them apart.
# The note tao-ports-UID has a line "port pid start-time" for each claim of that user; a claim holds as long as the calling
# shell lives. Expects tao_ports_dir, where the notes of this machine lie; empty for the usual places. POSIX sh and awk.

# "hexadecimal-port" of each socket.
tao_ports_open() { awk 'FNR > 1 { n = split($2, p, ":"); print p[n] }' /proc/net/tcp /proc/net/tcp6 2> /dev/null; }

# Of the lines in $1 those whose process lives still: a number alone may be another's by now.
tao_ports_live() {
  printf '%s\n' "$1" | while read -r tao_p tao_q tao_t; do
    [ -n "$tao_t" ] || continue
    read -r tao_stat 2> /dev/null < "/proc/$tao_q/stat" || continue
    set -f
    set -- ${tao_stat##*) }
    set +f
    [ "${20}" != "$tao_t" ] || printf '%s %s %s\n' "$tao_p" "$tao_q" "$tao_t"
  done
}

# Below the ports that the kernel hands out by itself, and below those of most services' clients.
tao_ports_top() {
  read -r tao_low tao_rest 2> /dev/null < /proc/sys/net/ipv4/ip_local_port_range || tao_low=32768
  [ "$tao_low" -gt 12000 ] && [ "$tao_low" -lt 32768 ] || tao_low=32768
  printf '%s\n' "$tao_low"
}

tao_rendezvous() {
  [ -n "$MASTER_PORT" ] || MASTER_PORT=$(tao_ports_claim "$1")
  [ -n "$MASTER_PORT" ] || MASTER_PORT=$((10000 + $1 % 22768))
  PET_MASTER_PORT=${PET_MASTER_PORT:-$MASTER_PORT}
  export MASTER_PORT PET_MASTER_PORT
}

tao_ports_claim() (
  umask 022
  for tao_d in $tao_ports_dir /run/lock /var/tmp /tmp; do [ ! -w "$tao_d" ] || break; done
  tao_note=$tao_d/tao-ports-$(id -u)
  tao_span=$(($(tao_ports_top) - 10000))
  tao_port=$((10000 + $1 % tao_span))
  exec 8>> "$tao_note"
  flock -w 10 8 2> /dev/null
  tao_mine=$(tao_ports_live "$(cat "$tao_note")")
  tao_taken=" $(tao_ports_live "$(cat "$tao_d"/tao-ports-*)" | cut -d' ' -f1 | tr '\n' ' ')"
  tao_open=" $(tao_ports_open | tr '\n' ' ')"
  tao_tries=0
  while [ "$tao_tries" -lt "$tao_span" ]; do
    case $tao_taken in
      *" $tao_port "*) ;;
      *) case $tao_open in *" $(printf %04X "$tao_port") "*) ;; *) break ;; esac ;;
    esac
    tao_port=$((10000 + (tao_port - 10000 + 1) % tao_span))
    tao_tries=$((tao_tries + 1))
  done
  read -r tao_stat < "/proc/$$/stat"
  set -f
  set -- ${tao_stat##*) }
  printf '%s\n' "$tao_mine${tao_mine:+
}$tao_port $$ ${20}" > "$tao_note"
  printf '%s\n' "$tao_port"
) 2> /dev/null
