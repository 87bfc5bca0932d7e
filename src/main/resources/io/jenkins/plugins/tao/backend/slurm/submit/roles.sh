# ---- the roles of Cosmos-RL: each is a step with a log of its own; the first that fails ends the others ----
ulimit -n 65536 2> /dev/null || true
tao_nodes() { scontrol show hostnames "$SLURM_JOB_NODELIST" | tail -n "+$1" | head -n "$2" | tr '\n' ' ' | sed 's/ *$//'; }
CONTROLLER_NODE=$MASTER_ADDR
COSMOS_CONTROLLER_HOST=$CONTROLLER_NODE:$CONTROLLER_PORT
POLICY_NODES=$(tao_nodes 1 "$NUM_POLICY_NODES")
ROLLOUT_NODES=$(tao_nodes "$((NUM_POLICY_NODES + 1))" "$NUM_ROLLOUT_NODES")
export CONTROLLER_NODE COSMOS_CONTROLLER_HOST POLICY_NODES ROLLOUT_NODES
tao_pids=
tao_all=

# Starts a role: its name, the nodes it runs on, the nodes it is told of (both with blanks between).
tao_role() {
  tao_name=$1
  COSMOS_NODE_ROLE=$1
  LOCAL_NODE_LIST=$3
  export COSMOS_NODE_ROLE LOCAL_NODE_LIST
  set -- $2
  tao_list=$(IFS=,; echo "$*")
  tao_notes=$tao_ranks.$tao_name
  tao_count=$#
  tao_step --overlap --nodes=$# --ntasks=$# --nodelist="$tao_list" --open-mode=append \
    --output="$tao_logs/$tao_name.out" --error="$tao_logs/$tao_name.err" &
  tao_pids="$tao_pids $tao_name:$!:$#"
  tao_all="$tao_all $!"
  echo "tao: role $tao_name on $tao_list, log $tao_logs/$tao_name.out"
}

# The first bad end counts: what the others say after it is only our own ending of them. Role $1 had $2 ranks; srun ended with $3.
# After a cancel or a time limit nothing is killed, for all roles have been asked to end.
tao_role_ended() {
  tao_role_before="$tao_rc $tao_by$tao_first"
  tao_weigh_ranks "$tao_ranks.$1" "$2" "$3"
  if [ "$tao_role_before" != "0 command" ] || [ "$tao_rc $tao_by" = "0 command" ]; then
    tao_rc=${tao_role_before%% *}
    tao_by=${tao_role_before#* }
    tao_first=
    case $tao_by in *' '*) tao_first=" ${tao_by#* }" tao_by=${tao_by%% *} ;; esac
    return 0
  fi
  [ "$tao_rc" != 0 ] && [ -z "$tao_signal" ] && [ ! -e "$tao_record.ranks/late" ] || return 0
  echo "tao: role $1 ended with exit code $tao_rc; the other roles are ended" >&2
  tail -n 20 "$tao_logs/$1.err" >&2
  for tao_other in $tao_pids; do
    tao_other=${tao_other#*:}
    kill -TERM "${tao_other%:*}" 2> /dev/null
  done
}

tao_watch_roles() {
  tao_rc=0
  tao_late=
  tao_start_deadline "$tao_all"
  while [ -n "$tao_pids" ]; do
    tao_left=
    for tao_entry in $tao_pids; do
      tao_pid=${tao_entry#*:}
      tao_pid=${tao_pid%:*}
      if kill -0 "$tao_pid" 2> /dev/null; then
        tao_left="$tao_left $tao_entry"
      else
        wait "$tao_pid"
        tao_role_ended "${tao_entry%%:*}" "${tao_entry##*:}" $?
      fi
    done
    tao_pids=$tao_left
    [ -z "$tao_pids" ] || sleep 1
  done
  tao_stop_deadline
  return "$tao_rc"
}

tao_role controller "$CONTROLLER_NODE" "$POLICY_NODES"
tao_role policy "$POLICY_NODES" "$POLICY_NODES"
[ "$NUM_ROLLOUT_NODES" = 0 ] || tao_role rollout "$ROLLOUT_NODES" "$ROLLOUT_NODES"
tao_watch_roles
