# ---- what the nodes of a job but the first tell of their GPUs ----
# Each keeps its newest words in a file of its own beside the notes of the ranks, and replaces it whole: append from several nodes to one
# file is not safe on NFS. The frame, on the first node, adds to the job's one file what is new in them, with the number of the node
# before it. So a reader has one file for a job of any number of nodes.
tao_node_names=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | tr '\n' ' ')
tao_collect_every=30

tao_collect() {
  set -- "$tao_ranks".gpu.*
  [ -e "$1" ] || return 0
  [ -e "$tao_ranks.collected" ] || printf '' > "$tao_ranks.collected"
  LC_ALL=C awk -v names="$tao_node_names" -v told="$tao_ranks.collected" '
    BEGIN { n = split(names, name, " "); for (i = 1; i <= n; i++) number[name[i]] = i - 1 }
    FILENAME == told { old[$0] = 1; next }
    FNR == 1 { node = FILENAME; sub(/.*[/][0-9]+[.]gpu[.]/, "", node) }
    node in number { line[++k] = "[" number[node] "] " $0 }
    END {
      for (i = 1; i <= k; i++) { print line[i] > (told ".part"); if (!(line[i] in old)) print line[i] }
    }' "$tao_ranks.collected" "$@" >> "$tao_log.gpu" && mv -f "$tao_ranks.collected.part" "$tao_ranks.collected"
}

# Runs beside the command until USR2.
tao_collect_on() {
  trap - EXIT
  for tao_name in TERM $tao_forward; do trap '' "$tao_name"; done
  trap 'kill -KILL "$tao_sleeper" 2> /dev/null; exit 0' USR2
  while kill -0 $$ 2> /dev/null; do
    tao_pause "$tao_collect_every"
    tao_collect
  done
}

# What came since the last look.
tao_collect_last() {
  kill -USR2 "$tao_collector" 2> /dev/null
  wait "$tao_collector" 2> /dev/null
  tao_collect
}

tao_collect_on > /dev/null 2>&1 < /dev/null &
tao_collector=$!
