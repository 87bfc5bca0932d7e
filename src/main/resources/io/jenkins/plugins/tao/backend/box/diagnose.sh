# What a person would look at after the end of attempt $tao_a.
[ -d "$tao_a" ] || exit 0
echo "exit record: $(cat "$tao_a/exit" 2>/dev/null)"
# Read, never written here: the evidence that decided stays what it was.
if [ -f "$tao_a/death" ]; then cat "$tao_a/death"; else tao_evidence "$tao_a"; fi | sed 's/^/death: /'
tao_room "$tao_base" | sed 's/^room /room: /'
tao_room "$tao_results" | sed 's/^room /results room: /'
[ ! -s "$tao_a/gpus" ] || echo "gpus: $(cat "$tao_a/gpus")"
nvidia-smi --query-gpu=index,utilization.gpu,clocks.sm,clocks.max.sm,power.draw,power.limit,temperature.gpu \
  --format=csv,noheader,nounits 2>/dev/null | sed 's/^/gpu health: /'
tao_gpus | grep -v '^gpu ' | sed 's/^/gpu user: /'
tmux ls 2>/dev/null | sed 's/^/tmux: /'
tao_left=$(tao_rest "$tao_a" | tr '\n' ' ')
[ -z "$tao_left" ] || echo "left over: $tao_left"
[ ! -f "$tao_a/launch" ] || sed 's/^/launch: /' "$tao_a/launch"
case $(tao_room "$tao_results") in
  "room "[0-9]" "* | "room "[0-9][0-9]*" "*)
    set -- $(tao_room "$tao_results")
    if [ "$2" -lt 1048576 ] || [ "${3:-99999}" -lt 10000 ]; then
      for tao_d in "$tao_base" "$tao_results" "$HOME/.cache"; do
        [ ! -d "$tao_d" ] || timeout 20 du -xk -d 2 -- "$tao_d" 2>/dev/null
      done | sort -rn | awk '!seen[$2]++' | head -n 8 | sed 's/^/fills the disk: /'
    fi ;;
esac
tail -n 20 "${tao_a%/*}/main.err" 2>/dev/null | sed 's/^/main.err: /'
tail -n 20 "${tao_a%/*}/main.out" 2>/dev/null | sed 's/^/main.out: /'
