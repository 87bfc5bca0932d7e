# ---- the copy of the results in S3, by the first rank; the command's own failure is the one that counts ----
if [ "${SLURM_PROCID:-0}" = 0 ]; then
  # No process has that id: the command has ended, so that all of it is sent at once.
  if ! AWS_ACCESS_KEY_ID="${AWS_ACCESS_KEY_ID:-${ACCESS_KEY-}}" AWS_SECRET_ACCESS_KEY="${AWS_SECRET_ACCESS_KEY:-${SECRET_KEY-}}" \
    python3 -c "$tao_up_runner" upload "$tao_up_plan" 2147483647 </dev/null; then
    echo "tao: ERROR: the results were not uploaded, and lie where the command wrote them; the command ended with $tao_up_rc" >&2
    [ "$tao_up_rc" != 0 ] || tao_up_rc=74
  fi
fi
exit "$tao_up_rc"
