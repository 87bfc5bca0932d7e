# ---- this job is one member of an array: its names, its spec, and who removes what all members share ----
tao_member=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
tao_results=$tao_results/$SLURM_ARRAY_TASK_ID

# Whether all others have noted their ends, none of them one after which Slurm may start it again. Notes are only read
# once there are as many as members: the first of a thousand to end need not.
tao_last() {
  set -- "$tao_base/exit/$tao_key-$SLURM_ARRAY_JOB_ID"_*[0-9]
  [ $# -ge "$SLURM_ARRAY_TASK_COUNT" ] &&
    [ "$(printf '%s\000' "$@" | xargs -0 grep -lE ' end=[0-9]+ code=[0-9]+ .*by=(command|frame|step)$' | wc -l)" -ge "$SLURM_ARRAY_TASK_COUNT" ]
}

# Puts the member's index where the command and the spec have a place for it.
tao_member_inputs() {
  export TAO_RESULTS_DIR="$tao_results" TAO_API_RESULTS_DIR="$tao_results"
  tao_command=${tao_command//'{array_task}'/$SLURM_ARRAY_TASK_ID}
  [ -e "$tao_config" ] || return 0
  tao_own=${tao_config%.*}.members
  mkdir -p "$tao_own" &&
    sed "s/{array_task}/$SLURM_ARRAY_TASK_ID/g" "$tao_config" > "$tao_own/$SLURM_ARRAY_TASK_ID.${tao_config##*.}" && return
  echo "tao: the spec of member $SLURM_ARRAY_TASK_ID cannot be written" >&2
  exit 74
}

